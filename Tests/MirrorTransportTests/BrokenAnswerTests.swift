// Answers that break off, contradict themselves or mean harm.

import MirrorCore
import MirrorTestSupport
import MirrorTransport
import Testing

struct BrokenAnswerTests {
    private static let body = Body.synthetic(length: 100_000, seed: 1)

    private func outcome(_ answer: Answer, _ change: (inout TransportOptions) -> Void = { _ in }) async throws -> (
        completion: Completion, received: Int
    ) {
        var seen: (completion: Completion, received: Int)?
        try await Wire.use(change) { wire in
            wire.origin.serveOthers { _ in answer }
            let receiver = Collector()
            let completion = try await wire.get("/a", to: receiver)
            seen = (completion, receiver.count)
        }
        return try #require(seen)
    }

    @Test(
        "the connection ends inside the head: a failure, whatever was sent of it",
        arguments: [
            0, 1, 5, 12, 15, 17, 30, 60, 80,
        ], [Ending.fin, .rst])
    func cutInHead(bytes: Int, ending: Ending) async throws {
        let answer = Answer(
            status: 200, headers: ["X-Filler": String(repeating: "x", count: 60)], content: Content(Self.body),
            delivery: Delivery(cut: .init(at: .head(bytes), ending)))
        let (completion, received) = try await outcome(answer)
        #expect(completion.code != nil)
        #expect(received == 0)
    }

    @Test(
        "the body ends early: a failure, with the bytes that came", arguments: [Ending.fin, .rst],
        [0, 1, 50_000, 99_999])
    func cutInBody(ending: Ending, bytes: Int64) async throws {
        let answer = Answer(status: 200, content: Content(Self.body), delivery: .cut(after: bytes, ending))
        let (completion, received) = try await outcome(answer)
        #expect([.truncated, .connect].contains(completion.code))
        #expect(Int64(received) == bytes && completion.bodyBytes == bytes)
    }

    @Test("chunked bodies that do not end", arguments: [Framing.chunkedWithoutLast, .chunkedCutInTrailer])
    func chunked(framing: Framing) async throws {
        let answer = Answer(status: 200, content: Content(Self.body), framing: framing)
        let (completion, received) = try await outcome(answer)
        #expect(completion.code == .truncated)
        #expect(received == 100_000)
    }

    @Test(
        "whole bodies in any framing",
        arguments: [
            Framing.length, .chunked, .closeDelimited, .none, .chunkedAndLength,
        ])
    func whole(framing: Framing) async throws {
        let (completion, received) = try await outcome(
            Answer(status: 200, content: Content(Self.body), framing: framing))
        #expect(completion.outcome == .finished)
        #expect(received == 100_000)
        #expect(completion.head?.contentLength == (framing == .length ? 100_000 : nil))
        #expect(completion.head?.endsWithConnection == [.closeDelimited, .none].contains(framing))
    }

    @Test(
        "lengths that contradict each other are no length, and no success",
        arguments: [
            ["100000", "5"], ["5", "100000"],
        ])
    func twoLengths(lengths: [String]) async throws {
        let (completion, _) = try await outcome(
            Answer(status: 200, content: Content(Self.body), framing: .lengths(lengths)))
        #expect(completion.outcome != .finished || completion.head?.contentLength == nil)
    }

    @Test("a head of a megabyte in one line, or in a million lines, ends the request", arguments: [true, false])
    func hugeHead(isOneLine: Bool) async throws {
        let filler =
            isOneLine
            ? "X-Long: " + String(repeating: "x", count: 1 << 20) + "\r\n"
            : String(repeating: "X: y\r\n", count: 1_000_000)
        var answer = Answer(status: 200, content: Content(Self.body))
        answer.rawHead = Array("HTTP/1.1 200 OK\r\n\(filler)Content-Length: 100000\r\n\r\n".utf8)
        let (completion, received) = try await outcome(answer)
        #expect(completion.code != nil)
        #expect(received == 0)
    }

    @Test(
        "heads that are none",
        arguments: [
            "garbage\r\n\r\n", "HTTP/1.1\r\n\r\n", "HTTP/1.1 99999 X\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n",
            "\0\0\0\0\r\n\r\n",
            "HTTP/1.1 200 OK\nContent-Length : 5\n\n", "ICY 200 OK\r\n\r\n",
        ])
    func badHead(head: String) async throws {
        var answer = Answer(status: 200, content: Content(Self.body))
        answer.rawHead = Array(head.utf8)
        answer.closes = true
        let (completion, _) = try await outcome(answer)
        // No trap, and an end: what it was worth is judged by whoever asked.
        #expect(completion.outcome != .cancelled)
        #expect(completion.head?.contentLength == nil || completion.head?.contentLength == 5)
    }

    @Test(
        "what is not HTTP may be the rest of an answer before: it is worth another try",
        arguments: ["garbage\r\n\r\n", "\0\0\0\0\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n"])
    func notHTTP(head: String) async throws {
        var answer = Answer(status: 200, content: Content(Self.body))
        answer.rawHead = Array(head.utf8)
        let (completion, received) = try await outcome(answer)
        guard case .failed(let failure) = completion.outcome else {
            Issue.record("\(completion.outcome)")
            return
        }
        #expect(failure.isTransient && failure.code == .http)
        #expect(received == 0)
    }

    @Test("bytes beyond an answer are not the next one")
    func excessBytes() async throws {
        try await Wire.use({ $0.connectionsPerHost = 1 }) { wire in
            wire.origin.serveOthers { _ in
                var answer = Answer(status: 200, content: Content(Self.body), framing: .lengthOff(by: -40_000))
                answer.headers.append("ETag", "\"v1\"")
                return answer
            }
            for _ in 0..<10 {
                let receiver = Collector()
                let completion = try await wire.get("/a", to: receiver)
                // The rest may be taken for an answer and is none; it never makes a wrong one.
                #expect(completion.outcome == .finished || completion.code == .http || completion.code == .connect)
                if completion.outcome == .finished { #expect(receiver.bytes == Self.body.bytes(in: 0..<60_000)) }
            }
        }
    }

    @Test("interim answers are not the answer")
    func interim() async throws {
        var answer = Answer(status: 200, content: Content(Self.body))
        let early = "HTTP/1.1 103 Early Hints\r\nETag: \"early\"\r\nContent-Length: 7\r\n\r\n"
        answer.rawHead = Array("\(early)HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n".utf8)
        let (completion, received) = try await outcome(answer)
        #expect(completion.outcome == .finished && received == 100_000)
        #expect(completion.head?.status == 200)
        #expect(completion.head?.validators.etag == nil)
    }

    @Test("validators that are not UTF-8 are not sent back, so they are none")
    func invalidValidators() async throws {
        var answer = Answer(status: 200, content: Content(Self.body))
        answer.rawHead =
            Array("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\nETag: \"".utf8) + [0xFF, 0xFE]
            + Array("\"\r\n\r\n".utf8)
        let (completion, _) = try await outcome(answer)
        #expect(completion.outcome == .finished)
        #expect(completion.head?.validators.etag == nil)
    }

    @Test("silence: given up after the stall timeout", arguments: [true, false])
    func silence(isBeforeHead: Bool) async throws {
        let answer =
            isBeforeHead
            ? Answer.hang : Answer(status: 200, content: Content(Self.body), delivery: .stall(after: 1_000))
        let (completion, received) = try await outcome(answer) { $0.stallTimeout = .seconds(1) }
        #expect(completion.code == .timeout)
        #expect(received == (isBeforeHead ? 0 : 1_000))
    }

    @Test("coded bodies come as they are")
    func coded() async throws {
        var answer = Answer(status: 200, headers: ["Content-Encoding": "gzip"], content: Content("not gzip at all"))
        answer.headers.append("Content-Type", "text/plain")
        let (completion, received) = try await outcome(answer)
        #expect(completion.outcome == .finished)
        #expect(received == 15)
        #expect(completion.head?.isEncoded ?? false)
    }

    @Test("nobody listens")
    func refused() async throws {
        try await Wire.use { wire in
            let address = try wire.address("/a")
            wire.origin.stop()
            let completion = await wire.send(Request(.get, address))
            #expect(completion.code == .connect)
            #expect(completion.head == nil)
        }
    }
}
