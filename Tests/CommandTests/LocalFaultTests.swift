// Real faults of the machine under the built binary: full and read-only file systems, limits of the process, streams
// that take nothing.

import Foundation
import Glibc
import MirrorTestSupport
import Testing

extension BuiltBinary {
    @Suite struct LocalFaultTests {
        private static func body(of path: String) -> Body {
            .synthetic(
                length: path.contains("big") ? 1_500_000 : 20_000, seed: path.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })
        }

        private static let names = (0..<40).map { "\($0).bin" } + ["big.img"]

        /// - Parameter framing: where the answers do not say how long they are, only the disk can say that it is full.
        private func prepare(_ framing: Framing = .length) throws -> (WickedOrigin, Workplace) {
            let origin = try WickedOrigin()
            origin.serveOthers { request in
                Resource(
                    body: Self.body(of: request.path), etag: "\"1\"",
                    faults: Faults {
                        $0.framing = framing
                        if framing != .length { $0.head = .noLength }
                    }
                ).answer(to: request)
            }
            let place = try Workplace(origin)
            try place.write("manifest.txt", lines: Self.names.map { origin.url("/\($0)") })
            try FileManager.default.createDirectory(atPath: place.directory, withIntermediateDirectories: true)
            return (origin, place)
        }

        /// Every file is whole or not there.
        private func expectWholeOrNone(_ mounts: OwnMounts, _ place: Workplace) async throws {
            let found = try await mounts.shell("cd '\(place.directory)' && ls").output.split(separator: "\n")
            for name in found {
                #expect(mounts.holds("\(place.directory)/\(name)", Self.body(of: "/\(name)")), "\(name)")
            }
        }

        private func expectAll(_ mounts: OwnMounts, _ place: Workplace) {
            let wrong = Self.names.filter { !mounts.holds("\(place.directory)/\($0)", Self.body(of: "/\($0)")) }
            #expect(wrong.isEmpty)
        }

        @Test(
            .enabled(if: OwnMounts.arePossible, OwnMounts.reason),
            arguments: [("size=900k", false), ("size=900k", true), ("size=8m,nr_inodes=30", false)])
        func `the disk is full in the middle of a run`(limit: String, hidesLength: Bool) async throws {
            let (_, place) = try prepare(hidesLength ? .chunked : .length)
            let mounts = try await OwnMounts("mount -t tmpfs -o \(limit) none '\(place.directory)'")
            let manifest = place.path + "/manifest.txt"
            let result = try await mounts.mirror("sync", manifest, "-d", place.directory, "-j", "4")
            #expect(result.ending == .exit(5), "\(result.output)\(result.errors)")
            #expect(result.errors.contains("disk-full"), "\(result.errors)")
            try await expectWholeOrNone(mounts, place)
            try await mounts.shell("mount -o remount,size=20m,nr_inodes=1000 '\(place.directory)'")
            let again = try await mounts.mirror("sync", manifest, "-d", place.directory)
            #expect(again.ending == .exit(0), "\(again.output)\(again.errors)")
            expectAll(mounts, place)
        }

        @Test(.enabled(if: OwnMounts.arePossible, OwnMounts.reason))
        func `.mirror is full and the folder is not`() async throws {
            let (_, place) = try prepare()
            let own = place.directory + "/.mirror"
            let mounts = try await OwnMounts("mkdir '\(own)' && mount -t tmpfs -o size=600k none '\(own)'")
            let manifest = place.path + "/manifest.txt"
            let result = try await mounts.mirror("sync", manifest, "-d", place.directory)
            #expect(result.ending == .exit(5), "\(result.output)\(result.errors)")
            #expect(result.errors.contains("disk-full"), "\(result.errors)")
            try await expectWholeOrNone(mounts, place)
            try await mounts.shell("mount -o remount,size=20m '\(own)'")
            let again = try await mounts.mirror("sync", manifest, "-d", place.directory)
            #expect(again.ending == .exit(0), "\(again.output)\(again.errors)")
            expectAll(mounts, place)
        }

        @Test(.enabled(if: OwnMounts.arePossible, OwnMounts.reason))
        func `a full file system below the folder fails what goes there, and nothing else`() async throws {
            let (origin, place) = try prepare()
            let far = place.directory + "/far"
            try place.write(
                "manifest.txt",
                lines: [origin.url("/big.img"), "  out=far/big.img"] + Self.names.map { origin.url("/\($0)") })
            let mounts = try await OwnMounts("mkdir '\(far)' && mount -t tmpfs -o size=600k none '\(far)'")
            let manifest = place.path + "/manifest.txt"
            let result = try await mounts.mirror("sync", manifest, "-d", place.directory, "-j", "2")
            #expect(result.ending == .exit(1), "\(result.output)\(result.errors)")
            #expect(result.output.contains("disk-full: no space left on device"), "\(result.output)")
            #expect(try await mounts.shell("ls -A '\(far)'").output.isEmpty)
            expectAll(mounts, place)
            try await mounts.shell("mount -o remount,size=20m '\(far)'")
            let again = try await mounts.mirror("sync", manifest, "-d", place.directory)
            #expect(again.ending == .exit(0), "\(again.output)\(again.errors)")
            #expect(mounts.holds(far + "/big.img", Self.body(of: "/big.img")))
            expectAll(mounts, place)
        }

        /// One folder under both names is what a volume shows that does not tell them apart.
        @Test(.enabled(if: OwnMounts.arePossible, OwnMounts.reason))
        func `C089 a dry run where no run has been sees that the volume takes two names for one`() async throws {
            let (origin, place) = try prepare()
            try place.write("manifest.txt", lines: [origin.url("/Readme"), origin.url("/README")])
            let folder = place.directory
            let manifest = place.path + "/manifest.txt"
            #expect(try await place.sync(manifest, "-n").ending == .exit(0))
            let mounts = try await OwnMounts(
                "mkdir '\(folder)/sub' '\(folder)/SUB' && mount --bind '\(folder)/sub' '\(folder)/SUB'")
            let result = try await mounts.mirror("sync", manifest, "-d", folder, "-n")
            #expect(result.ending == .exit(1), "\(result.output)\(result.errors)")
            #expect(result.output.contains("conflict"), "\(result.output)")
        }

        @Test(.enabled(if: OwnMounts.arePossible, OwnMounts.reason))
        func `C145 a read-only folder is seen before anything is asked`() async throws {
            let (origin, place) = try prepare()
            let folder = place.directory
            let mounts = try await OwnMounts(
                "mount --bind '\(folder)' '\(folder)' && mount -o remount,bind,ro '\(folder)'")
            let manifest = place.path + "/manifest.txt"
            let result = try await mounts.mirror("sync", manifest, "-d", folder)
            #expect(result.ending == .exit(5))
            #expect(result.errors == "mirror: «\(folder)» cannot be used: read-only file system\n")
            #expect(origin.log.isEmpty)
            // To look is not to write.
            #expect(try await mounts.mirror("sync", manifest, "-d", folder, "-n").ending == .exit(0))
        }

        @Test(.enabled(if: OwnMounts.arePossible, OwnMounts.reason))
        func `a read-only file system below the folder fails what goes there, and nothing else`() async throws {
            let (origin, place) = try prepare()
            try place.write("manifest.txt", lines: [origin.url("/1.bin"), "  out=far/1.bin", origin.url("/2.bin")])
            let far = place.directory + "/far"
            let mounts = try await OwnMounts("mkdir '\(far)' && mount -t tmpfs -o ro none '\(far)'")
            let result = try await mounts.mirror("sync", place.path + "/manifest.txt", "-d", place.directory)
            #expect(result.ending == .exit(1))
            #expect(result.output.contains("permission: read-only file system"), "\(result.output)")
            #expect(mounts.holds(place.directory + "/2.bin", Self.body(of: "/2.bin")))
        }

        /// Root may write anywhere; without this capability it is as everybody else.
        private static let asEverybody =
            geteuid() == 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []

        @Test func `C144 one folder that cannot be written to`() async throws {
            let (origin, place) = try prepare()
            try place.write("manifest.txt", lines: [origin.url("/1.bin"), "  out=shut/1.bin", origin.url("/2.bin")])
            mkdir("\(place.directory)/shut", 0o555)
            let manifest = place.path + "/manifest.txt"
            let result = try await CommandResult.of("sync", manifest, "-d", place.directory, through: Self.asEverybody)
            #expect(result.ending == .exit(1))
            #expect(result.output.contains("permission: permission denied"), "\(result.output)")
            #expect(place.holds("2.bin", Self.body(of: "/2.bin")))
            #expect(try place.report().failures == ["permission"])
            chmod("\(place.directory)/shut", 0o755)
            #expect(try await place.sync(manifest).ending == .exit(0))
            #expect(place.holds("shut/1.bin", Self.body(of: "/1.bin")))
        }

        @Test func `C145 a folder that cannot be written to is seen before anything is asked`() async throws {
            let (origin, place) = try prepare()
            chmod(place.directory, 0o555)
            let manifest = place.path + "/manifest.txt"
            let result = try await CommandResult.of("sync", manifest, "-d", place.directory, through: Self.asEverybody)
            chmod(place.directory, 0o755)
            #expect(result.ending == .exit(5))
            #expect(result.errors == "mirror: «\(place.directory)» cannot be used: permission denied\n")
            #expect(origin.log.isEmpty)
        }

        /// Nothing is allocated ahead, so that no file system can refuse that; a file that is too large for it is the
        /// failure of one entry.
        @Test func `C142 a file that is larger than files may be`() async throws {
            let (origin, place) = try prepare()
            try place.write("manifest.txt", lines: ["/1.bin", "/big.img", "/2.bin"].map { origin.url($0) })
            let line = #"ulimit -f 1000; exec "$@""#
            let result = try await CommandResult.of(
                "sync", place.path + "/manifest.txt", "-d", place.directory, through: ["/bin/bash", "-c", line, "sh"])
            #expect(result.ending == .exit(1), "\(result.ending) \(result.output)\(result.errors)")
            #expect(result.output.contains("io: file too large"), "\(result.output)")
            #expect(place.holds("1.bin", Self.body(of: "/1.bin")) && place.holds("2.bin", Self.body(of: "/2.bin")))
            #expect(!place.exists("out/big.img"))
            #expect(try await place.sync("manifest.txt").ending == .exit(0))
            #expect(place.holds("big.img", Self.body(of: "/big.img")))
        }

        @Test(arguments: [
            (">/dev/full", 1), (">&-", 1), ("2>/dev/full", 0), ("2>&-", 0), ("-v 2>/dev/full", 1), ("-q >/dev/full", 0),
        ])
        func `streams that take nothing`(end: String, code: Int32) async throws {
            let (_, place) = try prepare()
            let manifest = place.path + "/manifest.txt"
            let result = try await CommandResult.of(
                shell: "\"$@\" \(end)", "sync", manifest, "-d", place.directory)
            #expect(result.ending == .exit(code), "\(result.errors)")
            if end.hasPrefix(">") { #expect(result.errors.contains("standard output: "), "\(result.errors)") }
            #expect(Self.names.allSatisfy { place.holds($0, Self.body(of: "/\($0)")) })
        }

        /// The system would end the process there.
        @Test func `standard output is a file that is as large as files may be`() async throws {
            let (origin, place) = try prepare()
            try place.write("manifest.txt", lines: [origin.url("/1.bin")])
            let log = place.path + "/log"
            let line = "head -c 1024000 /dev/zero >'\(log)'; ulimit -f 1000; exec \"$@\" >>'\(log)'"
            let result = try await CommandResult.of(
                "sync", place.path + "/manifest.txt", "-d", place.directory, through: ["/bin/bash", "-c", line, "sh"])
            #expect(result.ending == .exit(1))
            #expect(result.errors == "mirror: standard output: File too large\n")
            #expect(place.holds("1.bin", Self.body(of: "/1.bin")))
        }

        @Test(arguments: ["full.json", "full.txt"]) func `a report that goes to a full device`(name: String)
            async throws
        {
            let (_, place) = try prepare()
            symlink("/dev/full", "\(place.path)/\(name)")
            let result = try await place.sync("manifest.txt", "--report", name)
            #expect(result.ending == .exit(1))
            #expect(
                result.errors
                    == "mirror: disk-full: the report «\(name)» could not be written: no space left on device\n")
            #expect(try place.report().run.exitCode == 1)
        }
    }
}
