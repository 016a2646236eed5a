// Framing and delivery as curl sees them: what is whole must arrive whole, what is broken must break as announced.

import MirrorTestSupport
import Testing

@Suite struct WireTests {
    private let origin: WickedOrigin
    private let body = Body.synthetic(length: 300_000, seed: 3)

    init() throws { origin = try WickedOrigin() }

    private func serve(_ change: (inout Faults) -> Void) {
        origin.serve("/a.bin", Resource(body: body, etag: "\"v1\"", faults: Faults(change)))
    }

    private func get(_ arguments: String...) async throws -> Curl {
        switch arguments.count {
        case 2: try await Curl.get(origin.url("/a.bin"), arguments[0], arguments[1])
        default: try await Curl.get(origin.url("/a.bin"))
        }
    }

    @Test func theWholeBodyArrives() async throws {
        serve { _ in }
        let answer = try await get()
        #expect(answer.exit == 0 && answer.status == 200)
        #expect(answer.body == body.allBytes)
        #expect(origin.log.map(\.outcome) == [.complete])
        #expect(origin.bodyBytesSent == 300_000)
    }

    @Test func aRangeArrives() async throws {
        serve { _ in }
        let answer = try await get("-r", "1000-200000")
        #expect(answer.status == 206)
        #expect(answer.body == body.bytes(in: 1000..<200_001))
        #expect(answer.headers.contains("Content-Range: bytes 1000-200000/300000\r\n"))
    }

    @Test(
        arguments: [
            (.length, 0, 300_000), (.chunked, 0, 300_000), (.closeDelimited, 0, 300_000), (.none, 0, 300_000),
            (.contentLengthTooBig(by: 5), 18, 300_000), (.contentLengthTooSmall(by: 5), 0, 299_995),
            (.chunkedWithoutLast, 18, 300_000), (.chunkedCutInTrailer, 18, 300_000),
        ] as [(Framing, Int32, Int)])
    func framesTheBody(framing: Framing, exit: Int32, received: Int) async throws {
        serve { $0.framing = framing }
        let answer = try await get()
        #expect(answer.exit == exit)
        #expect(answer.body == body.bytes(in: 0..<Int64(received)))
    }

    @Test(
        arguments: [
            (.cut(after: 100_000), 18, 100_000), (.cut(after: 100_000, .rst), 56, 100_000),
            (.cut(atOffset: 150_000), 18, 150_000), (.closed(.fin), 52, 0), (.closed(.rst), 56, 0),
            (Delivery(cut: .init(at: .head(5))), 52, 0),
            (.rate(bytesPerSecond: 3_000_000), 0, 300_000),
            (.trickle(bytes: 100_000, every: .milliseconds(5)), 0, 300_000),
        ] as [(Delivery, Int32, Int)])
    func deliversTheBody(delivery: Delivery, exit: Int32, received: Int) async throws {
        serve { $0.delivery = delivery }
        let answer = try await get()
        #expect(answer.exit == exit)
        #expect(answer.body == body.bytes(in: 0..<Int64(received)))
    }

    @Test func aCutAtAnOffsetSparesWhatLiesBehind() async throws {
        serve { $0.delivery = .cut(atOffset: 150_000) }
        let answer = try await get("-r", "150000-")
        #expect(answer.exit == 0)
        #expect(answer.body == body.bytes(in: 150_000..<300_000))
        #expect(try await get("-r", "149000-").body == body.bytes(in: 149_000..<150_000))
    }

    @Test func aRateTakesItsTime() async throws {
        serve { $0.delivery = .rate(bytesPerSecond: 1_000_000) }
        let took = try await ContinuousClock().measure { _ = try await get() }
        #expect(took > .milliseconds(240))
    }

    @Test func aStalledClientGivesUpAndTheLogSaysSo() async throws {
        serve { $0.delivery = .stall(after: 50_000) }
        #expect(try await get("--max-time", "1").exit == 28)
        #expect(await origin.waitUntil { $0.first?.outcome == .interrupted })
        #expect(origin.bodyBytesSent == 50_000)
    }

    @Test func aGateHoldsTheBody() async throws {
        let gate = Gate()
        serve { $0.delivery = .stall(after: 50_000, gate: gate) }
        async let answer = get()
        #expect(await origin.waitUntil(bodyBytesSent: 50_000, for: "/a.bin"))
        #expect(origin.bodyBytesSent == 50_000)
        gate.open()
        #expect(try await answer.body == body.allBytes)
    }

    @Test func manyAndLargeHeadersGoOut() async throws {
        origin.serve("/many") { _ in
            let fields = (0..<1000).map { Headers.Field("X-\($0)", "v") }
            return Answer(status: 200, headers: Headers(fields), content: Content("ok"))
        }
        origin.serve("/large") { _ in
            Answer(status: 200, headers: ["X": String(repeating: "v", count: 1 << 20)], content: Content("ok"))
        }
        #expect(try await Curl.get(origin.url("/many")).headers.contains("X-999: v\r\n"))
        #expect(try await Curl.get(origin.url("/large")).exit == 27)
    }

    @Test func lengthsThatDisagreeGoOut() async throws {
        serve { $0.framing = .lengths(["5", "7"]) }
        #expect(try await get().headers.contains("Content-Length: 5\r\nContent-Length: 7\r\n"))
    }

    @Test func multipartComesInParts() async throws {
        serve { _ in }
        let answer = try await get("-r", "0-9,20-29")
        #expect(answer.headers.contains("multipart/byteranges; boundary="))
        #expect(answer.body.count > 20)
    }

    @Test func fiveGibibytesNeedNoMemory() async throws {
        origin.serve("/large", Resource(body: .synthetic(length: 5 << 30, seed: 2)))
        let answer = try await Curl.get(origin.url("/large"), "-r", "5368709020-")
        #expect(answer.body == Body.synthetic(length: 5 << 30, seed: 2).bytes(in: 5_368_709_020..<5 << 30))
    }
}
