import Foundation
import MirrorSources
import Testing

/// The form of a source is found from its content.
struct SourceFormTests {
    @Test(arguments: [
        ("https://h/a\n", SourceForm.manifest), ("", .manifest), ("# only a comment\n", .manifest),
        ("example.org/x\n", .manifest),
        ("{ \"schema\": \"mirror-report/1\", \"files\": [] }", .report),
        ("\u{FEFF}\n{\"schema\":\"mirror-report/2\"}", .report),
        ("{\"a\": 1}", .json), ("[{\"name\": \"x\"}]", .json),
        ("<!DOCTYPE html><html><head>", .html), ("<html>\r\n<head><title>Index of /</title>", .html),
        ("<?xml version=\"1.0\"?>\n<!DOCTYPE HTML PUBLIC \"x\">\n<html>", .html), ("<h1>Index</h1><pre>", .html),
        ("<?xml version=\"1.0\"?>\n<!-- <html> -->\n<list>\n<file>", .xml),
        ("<ListBucketResult xmlns=\"x\">", .xml), ("<D:multistatus xmlns:D=\"DAV:\">", .xml), ("<", .xml),
        ("<?xml version=\"1.0\"?><metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">", .metalink),
        ("d41d8cd98f00b204e9800998ecf8427e  a.iso\n", .sums),
        ("\\d41d8cd98f00b204e9800998ecf8427e  a\\nb\n", .sums),
        ("# sums\ne3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 *a.iso\n", .sums),
        ("SHA256 (a.iso) = e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n", .sums),
        ("d41d8cd98f00b204e9800998ecf8427e\n", .sums), ("d41d8cd98f\n", .manifest), ("1605251490 1 one.bin\n", .sums),
        ("SHA2-256(a b)= e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n", .sums),
        ("/* callback */\ncb([\n", .json), (" cb.x( {", .json), ("cb (x", .manifest), ("/* a", .manifest),
        ("-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nhttps://h/a\n", .manifest),
    ])
    func `content shows its form`(_ text: String, _ form: SourceForm) {
        #expect(SourceForm.detect(Array(text.utf8)) == form)
    }

    @Test(arguments: [
        ("nginx-xml", "xml", SourceForm.xml), ("nginx-json", "json", .json), ("nginx-jsonp", "js", .json),
        ("caddy-json", "json", .json), ("apache-propfind0", "xml", .xml), ("apache-propfind1", "xml", .xml),
        ("lighttpd-propfind1", "xml", .xml), ("nginx-dav-ext-propfind1", "xml", .xml),
        ("rclone-serve-webdav-propfind1", "xml", .xml), ("s3-moto", "xml", .xml), ("cloud-docs", "xml", .xml),
        ("checksums", "txt", .sums), ("checksums", "sha256", .sums), ("pypiserver", "html", .html),
        // It was asked for JSON and sent a page all the same.
        ("pypiserver", "json", .html),
    ])
    func `what servers and tools write shows its form`(_ folder: String, _ suffix: String, _ form: SourceForm) throws {
        let root = ListingFixture.root.appendingPathComponent(folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".\(suffix)") }
        #expect(!names.isEmpty)
        for name in names {
            // A server that fails sends a page about it.
            let expected = folder == "s3-moto" && name.hasPrefix("badtoken") ? .html : form
            #expect(SourceForm.detect(try ListingFixture(folder: folder).bytes(name)) == expected, "\(name)")
        }
    }

    @Test func `XML in UTF-16 is XML`() {
        #expect(SourceForm.detect("\u{FEFF}<rss>".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }) == .xml)
        #expect(SourceForm.detect("\u{FEFF}<rss>".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }) == .xml)
    }

    @Test(arguments: [SourceForm.html, .xml, .json, .metalink, .sums])
    func `a listing that is read as entries is one clear problem`(_ form: SourceForm) {
        let parsed = SourceReader.read(Array("https://h/a".utf8), form: form, layout: .name)
        #expect(parsed.entries.isEmpty)
        #expect(parsed.problems.count == 1)
    }

    @Test func `a form can be forced`() {
        let text = "d41d8cd98f00b204e9800998ecf8427e  a.iso\n"
        let parsed = SourceReader.read(Array(text.utf8), form: .manifest, layout: .name)
        #expect(parsed.problems.map(\.message) == ["the URL has no scheme: write https://…"])
    }

    @Test func `only reports are read in part`() {
        let parsed = SourceReader.read(Array("https://h/a".utf8), layout: .name, only: .failed)
        #expect(parsed.problems.count == 1)
    }

    @Test func `the XML library tells its version`() {
        let numbers = xmlLibraryVersion.split(separator: ".").compactMap { Int($0) }
        #expect(numbers.count == 3)
        #expect(numbers.first == 2)
    }
}
