import CoreData
import Testing

@testable import CoreDataKinds

@Suite("Kinds of texts") struct TextKindTests {
    @Test(
        "web addresses lead to http and https alone",
        arguments: [
            ("https://example.org/a?b=1", "https://example.org/a?b=1"), ("HTTP://Example.org", "HTTP://Example.org"),
            ("www.example.org", "https://www.example.org"), ("https://bücher.example/ä", nil as String?),
            ("javascript:alert(1)", nil), ("data:text/html,x", nil), ("https://", nil), ("example.org", nil),
            ("https://a b", nil), ("https://a\nb", nil), ("file:///etc/passwd", nil), ("", nil),
        ])
    func webAddressesLeadToTheWebAlone(text: String, link: String?) throws {
        let reading = try KindTexts.reading("webAddress", text)
        #expect(reading.text == text)
        if text.contains("ü") {
            // Letters beyond ASCII are escaped, in the host as IDNA does it.
            #expect(reading.link?.hasPrefix("https://xn--bcher-kva.example/") == true, "\(reading.link ?? "nil")")
        } else {
            #expect(reading.link == link)
            #expect((reading.problem == nil) == (link != nil))
        }
    }

    @Test(
        "mail addresses are those of RFC 5321, and are escaped in links",
        arguments: [
            ("a@example.org", "mailto:a@example.org"), ("a.b+c@mail.example.co.uk", "mailto:a.b+c@mail.example.co.uk"),
            ("o'neil&co@example.org", "mailto:o'neil%26co@example.org"),
            ("jörg@bücher.example", "mailto:j%C3%B6rg@b%C3%BCcher.example"),
            ("a@b", nil as String?), ("a b@example.org", nil), ("a@example.org\r\nBcc: x@y.z", nil),
            ("@example.org", nil),
            ("a..b@example.org", nil), (".a@example.org", nil), ("a@-example.org", nil), ("a@1.2.3.4", nil),
            (String(repeating: "a", count: 65) + "@example.org", nil), ("a@example..org", nil),
            ("a,b@example.org", nil),
        ])
    func mailAddressesAreThoseOfTheRule(text: String, link: String?) throws {
        let reading = try KindTexts.reading("mailAddress", text)
        #expect(reading.link == link)
        #expect((reading.problem == nil) == (link != nil))
    }

    @Test(
        "telephone numbers lose their signs in links and keep their extension",
        arguments: [
            ("+49 (0)30 901820", "tel:+49030901820"), ("030/90 18-20", "tel:030901820"), ("112", "tel:112"),
            ("555-0100 ext. 42", "tel:5550100;ext=42"), ("555 0100x7", "tel:5550100;ext=7"), ("٠١٢٣٤٥٦", "tel:0123456"),
            ("12", nil as String?), ("call me", nil), ("1234567890123456", nil), ("555+0100", nil),
            ("5550100 ext", nil),
            ("½½½½", nil),
        ])
    func telephoneNumbersLoseTheirSigns(text: String, link: String?) throws {
        #expect(try KindTexts.reading("telephone", text).link == link)
    }

    @Test("entered texts are trimmed, and refused with what was expected")
    func enteredTextsAreCheckedAndTrimmed() throws {
        #expect(try KindTexts.value("mailAddress", " a@example.org ") as? String == "a@example.org")
        #expect(
            try KindTexts.value("webAddress", "https://example.org", .URIAttributeType) as? URL
                == URL(string: "https://example.org"))
        for (kind, text) in [
            ("mailAddress", "a@example.org\nb"), ("webAddress", "javascript:x"), ("telephone", "no"), ("color", "#12"),
            ("duration", "soon"), ("json", "{\"a\": }"), ("json", "1"), ("place", "91, 0"),
        ] {
            let error = #expect(throws: InspectionError.self) { try KindTexts.value(kind, text) }
            #expect(error?.subject == "value" && error?.hint?.isEmpty == false, "\(kind)")
        }
    }

    @Test("colours are read from texts of CSS, four numbers, and archives, and shown as one text")
    func coloursAreReadFromAllTheirForms() throws {
        for text in ["#1e90ff", "#1E90FF", "#1e90ffff"] {
            let reading = try KindTexts.reading("color", text)
            #expect(reading.entry == "#1e90ff")
            #expect(reading.color.map { $0.map { ($0 * 255).rounded() } } == [30, 144, 255, 255])
        }
        #expect(try KindTexts.reading("color", "#f008").entry == "#ff000088")
        #expect(try KindTexts.reading("color", "1, 0.5, 0, 1").entry == "#ff8000")
        for text in ["#12", "#gggggg", "1,2,3,4", "red", "#１２３"] {
            #expect(try KindTexts.reading("color", text).problem != nil, "\(text)")
        }
    }

    @Test("a JSON text says where it is broken")
    func brokenJSONIsNamed() throws {
        #expect(try KindTexts.reading("json", "{\"a\": [1, 2]}").problem == nil)
        let problem = try #require(try KindTexts.reading("json", "{\"a\":\n [1, 2}").problem)
        #expect(problem.contains("line 2, byte 7"), "\(problem)")
        #expect(try KindTexts.reading("json", "plain").problem == "it is no JSON")
    }

    @Test("plain text is not guessed to be Markdown, and text with several marks is")
    func markdownNeedsSeveralMarks() {
        #expect(!MarkdownKind.hasMarks("A note - with a dash, and 5 * 3 = 15.\n- one line"))
        #expect(!MarkdownKind.hasMarks("# Only a hash"))
        #expect(MarkdownKind.hasMarks("# Title\n\n- one\n- two\n"))
        #expect(MarkdownKind.hasMarks("See [the page](https://example.org) for more."))
    }
}
