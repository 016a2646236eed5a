// The part of a resource's answers that has to do with Range and If-Range, right and wrong.

extension ResourceAnswer {
    // MARK: If-Range (RFC 9110 section 13.1.5)

    private var ifRangeHolds: Bool {
        guard let validator = request.headers["If-Range"] else { return true }
        let isTag = validator.hasSuffix("\"")
        switch faults.ifRange {
        case .ignored: return true
        case .always200: return false
        case .datesOnly where isTag: return false
        case .weakComparison where isTag: return etag.map(weakly) == weakly(validator)
        case .honoured, .datesOnly, .weakComparison:
            return isTag ? etag == validator && !validator.hasPrefix("W/") : lastModified == validator
        }
    }

    // MARK: Ranges (RFC 9110 section 14)

    private var total: Int64 { resource.body.length }

    /// The answer to a range; nil when the whole body is the answer.
    var ranged: Answer? {
        guard let asked = request.range, ifRangeHolds else { return nil }
        if case .ignore = faults.range { return nil }
        switch asked {
        case .malformed: return nil
        case .several(let ranges):
            let slices = ranges.compactMap { $0.resolved(in: total) }
            return slices.isEmpty ? notSatisfiable : multipart(slices)
        case .from, .between, .suffix: return asked.resolved(in: total).map(bent) ?? notSatisfiable
        }
    }

    private func bent(_ slice: Range<Int64>) -> Answer {
        switch faults.range {
        case .honour, .ignore: return partial(slice)
        case .fromZero: return partial(0..<total)
        case .earlyStart(let bytes): return partial(max(0, slice.lowerBound - bytes)..<slice.upperBound)
        case .short(let bytes): return partial(slice.lowerBound..<min(slice.upperBound, slice.lowerBound + bytes))
        case .noContentRange(let wholeBody): return partial(wholeBody ? 0..<total : slice, contentRange: nil)
        case .sliceWith200: return partial(slice, status: 200, contentRange: contentRange(slice))
        case .wrongTotal(let total): return partial(slice, contentRange: contentRange(slice, total: String(total)))
        case .unknownTotal: return partial(slice, contentRange: contentRange(slice, total: "*"))
        case .contentRange(let text): return partial(slice, contentRange: text)
        case .multipart: return multipart([slice])
        case .excess(let bytes, let counted): return excess(slice, bytes, counted: counted)
        case .notSatisfiable: return notSatisfiable
        case .preconditionFailed: return .status(412)
        case .answer(let answer): return answer
        }
    }

    private func partial(_ slice: Range<Int64>) -> Answer { partial(slice, contentRange: contentRange(slice)) }

    private func partial(_ slice: Range<Int64>, status: Int = 206, contentRange: String?) -> Answer {
        var headers = headers
        headers.append("Content-Range", ifPresent: contentRange)
        return success(status, headers: headers, Content(resource.body, slice))
    }

    private func excess(_ slice: Range<Int64>, _ bytes: Int64, counted: Bool) -> Answer {
        var answer = partial(slice)
        let inside = min(total, slice.upperBound + bytes)
        answer.content.append(.slice(resource.body, slice.upperBound..<inside))
        // Past the end of the body there is nothing to show but padding.
        answer.content.append(.bytes(Array(repeating: 0x58, count: Int(slice.upperBound + bytes - inside))))
        if !counted { answer.framing = .lengthOff(by: -bytes) }
        return answer
    }

    private func multipart(_ slices: [Range<Int64>]) -> Answer {
        let boundary = "3d6b6a416f9b5"
        var content = Content()
        for slice in slices {
            let type = resource.contentType.map { "Content-Type: \($0)\r\n" } ?? ""
            let opening = "\r\n--\(boundary)\r\n\(type)Content-Range: \(contentRange(slice))\r\n\r\n"
            content.append(.bytes(Array(opening.utf8)))
            content.append(.slice(resource.body, slice))
        }
        content.append(.bytes(Array("\r\n--\(boundary)--\r\n".utf8)))
        var headers = headers
        headers.set("Content-Type", "multipart/byteranges; boundary=\(boundary)")
        return success(206, headers: headers, content)
    }

    private var notSatisfiable: Answer {
        .status(416, headers: faults.omitsTotalIn416 ? [:] : ["Content-Range": "bytes */\(total)"])
    }

    private func contentRange(_ slice: Range<Int64>, total: String? = nil) -> String {
        "bytes \(slice.lowerBound)-\(slice.upperBound - 1)/\(total ?? String(self.total))"
    }
}
