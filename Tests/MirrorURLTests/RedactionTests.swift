import MirrorURL
import Testing

/// What may be shown of a URL.
struct RedactionTests {
    static let rows: [(String, String)] = [
        ("https://h/a", "https://h/a"),
        ("https://user:secret@h/a", "https://***@h/a"),
        ("https://user@h/a", "https://***@h/a"),
        ("https://h/a@2x.png", "https://h/a@2x.png"),
        ("https://h/a?mail=x@y", "https://h/a?mail=x@y"),
        ("https://h/a?x=1&X-Amz-Signature=abc&y=2", "https://h/a?x=1&X-Amz-Signature=***&y=2"),
        ("https://h/a?x-amz-credential=a%2Fb", "https://h/a?x-amz-credential=***"),
        ("https://h/a?X-Amz-Security-Token=t", "https://h/a?X-Amz-Security-Token=***"),
        ("https://h/a?X-Goog-Signature=t", "https://h/a?X-Goog-Signature=***"),
        ("https://h/a?X-Goog-Credential=c&x=y", "https://h/a?X-Goog-Credential=***&x=y"),
        ("https://h/a?sv=1&se=2&sp=r&sig=abc", "https://h/a?sv=1&se=2&sp=r&sig=***"),
        ("https://h/a?Policy=p&Signature=s&Key-Pair-Id=k", "https://h/a?Policy=***&Signature=***&Key-Pair-Id=***"),
        ("https://h/a?AWSAccessKeyId=k&Expires=1", "https://h/a?AWSAccessKeyId=***&Expires=1"),
        ("https://h/a?GoogleAccessId=k", "https://h/a?GoogleAccessId=***"),
        ("https://h/a?key=k;token=t", "https://h/a?key=***;token=***"),
        ("https://h/a?access_token=t", "https://h/a?access_token=***"),
        ("https://h/a?api-key=t&apikey=u&api_key=v", "https://h/a?api-key=***&apikey=***&api_key=***"),
        ("https://h/a?PASSWORD=p&client_secret=s&jwt=j", "https://h/a?PASSWORD=***&client_secret=***&jwt=***"),
        ("https://h/a?oauth=1&sessionid=2", "https://h/a?oauth=***&sessionid=***"),
        ("https://h/a?hmac=1&x-hmac-sha256=2&ticket=3", "https://h/a?hmac=***&x-hmac-sha256=***&ticket=***"),
        ("https://h/a?hdnea=exp=1~acl=/*~hmac=f&x=1", "https://h/a?hdnea=***&x=1"),
        ("https://h/a?__hdnea__=1&hdnts=2", "https://h/a?__hdnea__=***&hdnts=***"),
        ("https://h/a?md5=abc&expires=1", "https://h/a?md5=***&expires=1"),
        ("https://h/a?md5sum=abc", "https://h/a?md5sum=abc"),
        ("https://h/a?to%6ben=t", "https://h/a?to%6ben=***"),
        ("https://h/a?token=a=b", "https://h/a?token=***"),
        ("https://h/a?monkey=1&keys=2&signal=3", "https://h/a?monkey=1&keys=2&signal=3"),
        ("https://h/token=a", "https://h/token=a"),
        ("https://h/a;token=t/b", "https://h/a;token=***"),
        ("https://h/a&sig=t", "https://h/a&sig=***"),
        ("https://h/a?token", "https://h/a?token"),
        ("https://h/a?token=", "https://h/a?token=***"),
    ]

    @Test(arguments: rows)
    func `an address is shown without its secrets`(_ url: String, _ shown: String) throws {
        let address = try URLParser().parse(url)
        #expect(Redaction.text(of: address) == shown)
        #expect(Redaction.text(ofUnparsed: url) == shown)
        #expect(Redaction.hidesSomething(in: shown) == (shown != url))
        #expect(!Redaction.hidesSomething(in: url))
        let isShownWhole = shown == url && !Redaction.hidesSomething(in: shown)
        #expect(isShownWhole || !Redaction.isPlain(address))
    }

    @Test func `an address that needs no second look`() throws {
        for url in ["https://h/a.bin", "https://h/a?b&c"] {
            #expect(Redaction.isPlain(try URLParser().parse(url)))
        }
        for url in ["https://u@h/a", "https://h/a?b=c", "https://h/a;b=***"] {
            #expect(!Redaction.isPlain(try URLParser().parse(url)))
        }
    }

    @Test(arguments: [
        ("https://user:pa/ss@h/x", "https://***@h/x"),
        ("https://user:pa?ss@h/x", "https://***@h/x"),
        ("https://user:p w@h/x", "https://***@h/x"),
        ("user:secret@h/x", "***@h/x"),
        ("cannot read https://u:p@h/x and ftp://v:q@h/y", "cannot read https://***@h/x and ftp://***@h/y"),
        ("no URL at all", "no URL at all"),
        ("http://[::1]:80/a@b", "http://[::1]:80/a@b"),
        ("http://h:8080/a@b", "http://h:8080/a@b"),
        ("://", "://"),
        ("", ""),
    ])
    func `a text that is no URL is shown without its secrets`(_ text: String, _ shown: String) {
        #expect(Redaction.text(ofUnparsed: text) == shown)
    }

    @Test func `a mark in a file name is no lost secret`() {
        #expect(!Redaction.hidesSomething(in: "https://h/a***b"))
        #expect(!Redaction.hidesSomething(in: "https://h/***/x"))
    }
}
