// Validators: when two answers speak of one state, and what If-Range may carry.

import MirrorCore
import Testing

@Suite struct ValidatorsTests {
    @Test func aLaterAnswerCompletesTheseAsAWholeOrNotAtAll() throws {
        let early = HTTPDate("Mon, 01 Jun 2026 00:00:00 GMT"), late = HTTPDate("Mon, 01 Jun 2026 01:00:00 GMT")
        let modified = "Mon, 01 Jun 2026 00:59:59 GMT"
        let tag = try #require(EntityTag("\"a\""))
        let tagged = Validators(etag: tag, date: late)
        let full = Validators(etag: tag, lastModified: modified, date: early)
        #expect(tagged.completed(by: full) == full, "its date goes with its Last-Modified")
        #expect(full.completed(by: tagged) == full)
        #expect(tagged.completed(by: Validators(lastModified: modified, date: early)) == tagged)
        #expect(Validators(date: late).completed(by: full) == full)
        let other = Validators(etag: EntityTag("\"b\""), lastModified: modified, date: early)
        #expect(tagged.completed(by: other) == tagged)
    }

    struct Comparing: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let old: Validators, new: Validators, expected: Validators.Comparison

        init(_ name: String, _ old: Validators, _ new: Validators, _ expected: Validators.Comparison) {
            testDescription = name
            self.old = old
            self.new = new
            self.expected = expected
        }
    }

    @Test(arguments: [
        Comparing("nothing at all", validators(), validators(), .unknown),
        Comparing("only one has any", validators("\"a\"", modified: Time.ten), validators(), .unknown),
        Comparing("nothing in common", validators("\"a\""), validators(modified: Time.ten), .unknown),
        Comparing("same strong ETag", validators("\"a\""), validators("\"a\""), .same),
        Comparing("other strong ETag", validators("\"a\""), validators("\"b\""), .different),
        Comparing("same weak ETag", validators("W/\"a\""), validators("W/\"a\""), .same),
        Comparing("other weak ETag", validators("W/\"a\""), validators("W/\"b\""), .different),
        Comparing("ETag became weak", validators("\"a\""), validators("W/\"a\""), .same),
        Comparing("same date", validators(modified: Time.ten), validators(modified: Time.ten), .same),
        Comparing("same date as RFC 850", validators(modified: Time.ten), validators(modified: Time.ten850), .same),
        Comparing("same date, asctime", validators(modified: Time.tenAsctime), validators(modified: Time.ten), .same),
        Comparing("later date", validators(modified: Time.ten), validators(modified: Time.eleven), .different),
        Comparing("earlier date (C150)", validators(modified: Time.ten), validators(modified: Time.nine), .different),
        Comparing("same garbage (C151)", validators(modified: "today"), validators(modified: "today"), .same),
        Comparing("other garbage", validators(modified: "today"), validators(modified: "yesterday"), .different),
        Comparing("garbage and a date", validators(modified: "today"), validators(modified: Time.ten), .different),
        Comparing("garbage, NFC and NFD", validators(modified: "\u{E9}"), validators(modified: "e\u{301}"), .different),
        Comparing(
            "same ETag, other date", validators("\"a\"", modified: Time.ten),
            validators("\"a\"", modified: Time.eleven), .different),
        Comparing(
            "other ETag, same date", validators("\"a\"", modified: Time.ten),
            validators("\"b\"", modified: Time.ten), .different),
        Comparing(
            "all the same", validators("\"a\"", modified: Time.ten),
            validators("\"a\"", modified: Time.ten), .same),
        Comparing(
            "same date, no ETag any more", validators("\"a\"", modified: Time.ten),
            validators(modified: Time.ten), .same),
    ])
    func compare(_ row: Comparing) {
        #expect(row.old.compare(with: row.new) == row.expected)
        #expect(row.new.compare(with: row.old) == row.expected)
    }

    struct Conditioning: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let validators: Validators
        let expected: String?

        init(_ name: String, _ validators: Validators, _ expected: String?) {
            testDescription = name
            self.validators = validators
            self.expected = expected
        }
    }

    @Test(arguments: [
        Conditioning("nothing", validators(), nil),
        Conditioning("a strong ETag", validators("\"a\""), "\"a\""),
        Conditioning(
            "a strong ETag before a date",
            validators("\"a\"", modified: Time.nine, date: Time.ten), "\"a\""),
        Conditioning("a weak ETag never (C007)", validators("W/\"a\""), nil),
        Conditioning(
            "a weak ETag and an old date",
            validators("W/\"a\"", modified: Time.nine, date: Time.ten), Time.nine),
        Conditioning(
            "a weak ETag and a fresh date",
            validators("W/\"a\"", modified: Time.ten, date: Time.ten), nil),
        Conditioning("an old date", validators(modified: Time.nine, date: Time.ten), Time.nine),
        Conditioning(
            "a date as the server wrote it", validators(modified: Time.ten850, date: Time.eleven),
            Time.ten850),
        Conditioning(
            "one second old",
            validators(modified: "Sat, 31 Jan 2026 09:59:59 GMT", date: Time.ten), "Sat, 31 Jan 2026 09:59:59 GMT"),
        Conditioning("of the same second", validators(modified: Time.ten, date: Time.ten), nil),
        Conditioning("of the future (C151)", validators(modified: Time.eleven, date: Time.ten), nil),
        Conditioning("no Date to compare it with", validators(modified: Time.nine), nil),
        Conditioning("garbage", validators(modified: "yesterday", date: Time.ten), nil),
    ])
    func ifRange(_ row: Conditioning) {
        #expect(row.validators.ifRange == row.expected)
    }

    @Test func equalityIsByBytes() {
        #expect(validators(modified: "\u{E9}") != validators(modified: "e\u{301}"))
        #expect(validators(modified: "") != validators())
        #expect(validators("\"a\"", modified: Time.ten) == validators("\"a\"", modified: Time.ten))
    }

    struct Generations: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let old: Generation, total: Int64, new: Validators, accepted: Bool

        init(_ name: String, _ old: Validators, _ total: Int64, _ new: Validators, _ accepted: Bool) {
            testDescription = name
            self.old = Generation(total: 1000, validators: old)
            self.total = total
            self.new = new
            self.accepted = accepted
        }
    }

    @Test(arguments: [
        Generations("same", validators("\"a\""), 1000, validators("\"a\""), true),
        Generations("another total (C008)", validators("\"a\""), 1001, validators("\"a\""), false),
        Generations("another ETag (C003)", validators("\"a\""), 1000, validators("\"b\""), false),
        Generations(
            "another date (C003)", validators(modified: Time.ten), 1000,
            validators(modified: Time.eleven), false),
        Generations("only the total can be compared", validators(), 1000, validators("\"a\""), true),
        Generations("only the total, and it differs", validators(), 999, validators(), false),
    ])
    func generations(_ row: Generations) {
        #expect(row.old.accepts(total: row.total, validators: row.new) == row.accepted)
    }
}
