// What a healthy resource answers by RFC 9110, and what each range fault makes of it. No network.

import MirrorTestSupport
import Testing

@Suite struct ResourceTests {
    private static let date = "Sat, 31 Jan 2026 00:00:00 GMT"
    private static let resource = Resource(
        body: .synthetic(length: 1000, seed: 1), etag: "\"v1\"", lastModified: date)

    private func answer(_ headers: Headers, _ change: (inout Faults) -> Void = { _ in }) -> Answer {
        var resource = Self.resource
        change(&resource.faults)
        return resource.answer(to: Request(method: "GET", target: "/a", headers: headers))
    }

    @Test(
        arguments: [
            ([:], 200, nil, 1000),
            (["Range": "bytes=100-199"], 206, "bytes 100-199/1000", 100),
            (["Range": "bytes=900-"], 206, "bytes 900-999/1000", 100),
            (["Range": "bytes=-10"], 206, "bytes 990-999/1000", 10),
            (["Range": "bytes=990-5000"], 206, "bytes 990-999/1000", 10),
            (["Range": "bytes=5-4"], 200, nil, 1000),
            (["Range": "bytes=0-9", "If-Range": "\"v1\""], 206, "bytes 0-9/1000", 10),
            (["Range": "bytes=0-9", "If-Range": "\"v0\""], 200, nil, 1000),
            (["Range": "bytes=0-9", "If-Range": date], 206, "bytes 0-9/1000", 10),
            (["Range": "bytes=0-9", "If-Range": "Sat, 31 Jan 2026 00:00:01 GMT"], 200, nil, 1000),
            (["If-None-Match": "\"v1\""], 304, nil, 0),
            (["If-None-Match": "\"v0\", W/\"v1\""], 304, nil, 0),
            (["If-None-Match": "\"v0\"", "If-Modified-Since": date], 200, nil, 1000),
            (["If-Modified-Since": date], 304, nil, 0),
            (["If-Modified-Since": "Fri, 30 Jan 2026 23:59:59 GMT"], 200, nil, 1000),
        ] as [(Headers, Int, String?, Int64)])
    func followsTheRules(headers: Headers, status: Int, contentRange: String?, length: Int64) {
        let answer = answer(headers)
        #expect(answer.status == status)
        #expect(answer.headers["Content-Range"] == contentRange)
        #expect(answer.content.length == length)
    }

    @Test func aRangeBeyondTheEndIsNotSatisfiable() {
        #expect(answer(["Range": "bytes=1000-"]).status == 416)
        #expect(answer(["Range": "bytes=1000-"]).headers["Content-Range"] == "bytes */1000")
        let silent = answer(["Range": "bytes=1000-"]) { $0.omitsTotalIn416 = true }
        #expect(silent.headers["Content-Range"] == nil)
    }

    @Test func failedPreconditionsAre412() {
        #expect(answer(["If-Match": "\"v0\""]).status == 412)
        #expect(answer(["If-Unmodified-Since": "Fri, 30 Jan 2026 23:59:59 GMT"]).status == 412)
        #expect(answer(["If-Match": "\"v0\""]) { $0.ignoresConditions = true }.status == 200)
    }

    @Test(
        arguments: [
            (.ignore, 200, nil, 1000),
            (.fromZero, 206, "bytes 0-999/1000", 1000),
            (.earlyStart(by: 50), 206, "bytes 50-199/1000", 150),
            (.short(maxBytes: 30), 206, "bytes 100-129/1000", 30),
            (.noContentRange(wholeBody: false), 206, nil, 100),
            (.noContentRange(wholeBody: true), 206, nil, 1000),
            (.sliceWith200, 200, "bytes 100-199/1000", 100),
            (.wrongTotal(1049), 206, "bytes 100-199/1049", 100),
            (.unknownTotal, 206, "bytes 100-199/*", 100),
            (.contentRange("bytes -5-3/10"), 206, "bytes -5-3/10", 100),
            (.excess(bytes: 7, counted: false), 206, "bytes 100-199/1000", 107),
            (.excess(bytes: 2000, counted: true), 206, "bytes 100-199/1000", 2100),
            (.preconditionFailed, 412, nil, nil),
            (.notSatisfiable, 416, "bytes */1000", nil),
            (.answer(.htmlPage(status: 503)), 503, nil, nil),
        ] as [(RangeHandling, Int, String?, Int64?)])
    func bendsRanges(handling: RangeHandling, status: Int, contentRange: String?, length: Int64?) {
        let answer = answer(["Range": "bytes=100-199"]) { $0.range = handling }
        #expect(answer.status == status)
        #expect(answer.headers["Content-Range"] == contentRange)
        if let length { #expect(answer.content.length == length) }
    }

    @Test(
        arguments: [
            (.ignored, "\"v0\"", 206), (.datesOnly, "\"v1\"", 200), (.datesOnly, date, 206),
            (.always200, "\"v1\"", 200),
            (.weakComparison, "W/\"v1\"", 206), (.honoured, "W/\"v1\"", 200),
        ] as [(Faults.IfRangeHandling, String, Int)])
    func bendsIfRange(handling: Faults.IfRangeHandling, validator: String, status: Int) {
        #expect(answer(["Range": "bytes=1-", "If-Range": validator]) { $0.ifRange = handling }.status == status)
    }

    @Test func bendsValidators() {
        #expect(answer([:]) { $0.validators = .weakETag }.headers["etag"] == "W/\"v1\"")
        #expect(answer([:]) { $0.validators = .none }.headers["Last-Modified"] == nil)
        let tags = (0..<2).map { _ in answer([:]) { $0.validators = .randomETag }.headers["ETag"] }
        #expect(tags[0] != tags[1])
    }

    @Test func faultsEndAfterTheFirstRequests() {
        var resource = Self.resource
        resource.faults.range = .ignore
        resource.faultyRequests = 1
        let statuses = (0..<2).map { ordinal in
            resource.answer(
                to: Request(method: "GET", target: "/a", headers: ["Range": "bytes=1-"], methodOrdinal: ordinal)
            ).status
        }
        #expect(statuses == [200, 206])
    }
}
