import MirrorKit
var args = Array(CommandLine.arguments.dropFirst())
var o = SyncOptions(sources: [])
while let a = args.first { args.removeFirst()
  switch a { case "-d": o.directory = args.removeFirst()
  case "-n": o.isDryRun = true
  case "-x": o.transport.connectionsPerHost = Int(args.removeFirst()) ?? 6
  case "-j": o.jobs = Int(args.removeFirst()) ?? 6
  case "-q", "sync": break
  case "-s": o.split = Int(args.removeFirst()) ?? 4
  case "-k": o.minimumSplitSize = 1<<20; args.removeFirst()
  default: o.sources.append(a) } }
do { let r = try await Sync(o).run()
  var t: [UInt8] = []
  try TextReport(limit: 20).write(r) { t += $0 }
  print(String(decoding: t, as: UTF8.self))
} catch { print("error", error) }
