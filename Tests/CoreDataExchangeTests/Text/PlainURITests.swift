import CoreData
import Testing

@testable import CoreDataExchange
@testable import CoreDataWorkbench

@Suite("URIs that are written as they are stored")
struct PlainURITests {
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 29) ^ state
        }
    }

    private func isPlain(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { PlainURI.isPlain(UnsafeRawBufferPointer($0)) }
    }

    @Test("usual URIs are plain, and are what URL makes of them (BRW-47)")
    func usualURIsArePlain() {
        for text in [
            "https://example.org", "https://example.org/", "http://example.org:8080/a/b.html?x=1&y=%20#top",
            "ftp://user.example/~a",
        ] {
            #expect(isPlain(text) && URL(string: text)?.absoluteString == text, "\(text)")
        }
        for text in [
            "", "example", "/a/b", "mailto:a@example.org", "http://", "http:///x", "http://ex ample.org/",
            "http://example.org/ä", "http://example.org/a b", "http://example.org/%zz", "http://example.org/#a#b",
            "http://example.org/{a}", "http://[::1]/", "http://a@b/", "http://example.org:/", "1http://x/",
            "http://x\"/",
        ] {
            #expect(!isPlain(text), "\(text)")
        }
    }

    @Test("what is plain is the same after URL has read it, whatever it consists of (BRW-47)")
    func whatIsPlainIsSameAfterURLHasRead() {
        let parts = [
            "http", "https", "://", "//", ":", "/", "?", "#", "%", "%41", "%zz", "a", "B", "1", "-", ".", "..", "_",
            "~", "!",
            "$", "&", "'", "(", ")", "*", "+", ",", ";", "=", "@", " ", "[", "]", "{", "\\", "\"", "ä", "xn--", ":80",
            "example",
        ]
        var random = Numbers(state: 46)
        var count = 0
        for _ in 0..<30_000 {
            let length = Int.random(in: 1...9, using: &random)
            let rest = (0..<length).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            let text = Bool.random(using: &random) ? "http://host" + rest : rest
            guard isPlain(text) else { continue }
            count += 1
            #expect(URL(string: text)?.absoluteString == text, "\(text)")
        }
        #expect(count > 500)
    }

    @Test("a plain URI is written without an object, another is left to its object (BRW-47)", arguments: [true, false])
    func plainURIIsWrittenWithoutObject(_ isJSON: Bool) {
        for (uri, isWritten) in [("https://example.org/a?b=c,d", true), ("https://example.org/a b", false)] {
            var text = ByteText()
            let bytes = Array(uri.utf8)
            let done = bytes.withUnsafeBytes { bytes in
                StoredText(format: isJSON ? .jsonLines : .csv).append(RowTag.text, bits: 0, kind: .uri, to: &text) {
                    bytes
                }
            }
            #expect(done == isWritten)
            #expect(text.string == (isWritten ? "\"\(uri)\"" : ""))
        }
    }
}
