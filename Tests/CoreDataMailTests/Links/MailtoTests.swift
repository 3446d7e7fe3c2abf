import CoreDataMail
import Foundation
import TestBasics
import Testing

@Suite("Links to write to")
struct MailtoTests {
    @Test("MSG-04: a link has its prefix once, and every other letter escaped")
    func building() throws {
        let link = MailtoLink(
            to: [try MailAddress("Bob <bob+x@example.com>"), try MailAddress("a&b?c=d@example.com")],
            cc: [try MailAddress("carol@example.com")], subject: "Fish & chips? 100 %",
            body: "Grüße\nzwei + drei\r\nvier")
        #expect(
            link.text
                == "mailto:bob%2Bx@example.com,a%26b%3Fc%3Dd@example.com?cc=carol@example.com&subject=Fish%20%26%20chips%3F%20100%20%25"
                + "&body=Gr%C3%BC%C3%9Fe%0D%0Azwei%20%2B%20drei%0D%0Avier")
        #expect(link.url?.absoluteString == link.text && link.url?.scheme == "mailto")
        #expect(MailtoLink().text == "mailto:" && MailtoLink(subject: "x").text == "mailto:?subject=x")
    }

    @Test("MSG-04: what was built is read back, also by Python's library")
    func roundTrip() throws {
        let texts = ["", "a b", "Grüße 你好 \u{1F4F7}", "a+b=c&d#e?f%20", "\"quoted\" <tag>", "tab\tand\\"]
        for text in texts {
            let link = MailtoLink(
                to: [try MailAddress("x@example.com")], subject: text.replacingOccurrences(of: "\t", with: " "),
                body: text)
            #expect(try MailtoLink(parsing: link.text) == link)
            let script = """
                import sys, urllib.parse as u
                parts = u.urlsplit(sys.argv[1])
                fields = dict(p.split("=", 1) for p in parts.query.split("&")) if parts.query else {}
                sys.stdout.write(u.unquote(parts.path) + "|" + u.unquote(fields.get("body", "")))
                """
            let (code, output) = try Toolchain.run("python3", ["-c", script, link.text])
            #expect(code == 0 && output == "x@example.com|" + text)
        }
    }

    @Test("MSG-04: links of other programs are read")
    func parsing() throws {
        let link = try MailtoLink(
            parsing:
                "MAILTO:mailto:a@b.c,d@e.f?TO=g@h.i&Subject=one%20two&body=x%0d%0ay+z&cc=j@k.l&bcc=m@n.o&attach=/etc/passwd&from=q@r.s#x"
        )
        #expect(link.to.map(\.address) == ["a@b.c", "d@e.f", "g@h.i"] && link.cc.map(\.address) == ["j@k.l"])
        #expect(link.bcc.map(\.address) == ["m@n.o"] && link.subject == "one two" && link.body == "x\ny+z")
        #expect(link.message.attachments.isEmpty && link.message.sender == nil && link.message.text == "x\ny+z")
    }

    @Test(
        "MSG-04: bad links are refused",
        arguments: [
            "", "http://a@b.c", "mailto", "mailto:ann", "mailto:a@b.c?cc=x",
            "mailto:a@b.c?subject=%0d%0aBcc:%20e@f.g",
            "mailto:a%0a@b.c", "mailto:a@b.c?body=%ff", "mailto:a@b.c?body=%zz",
            "mailto:" + String(repeating: "a@b.c,", count: 20_000),
        ])
    func badLinks(text: String) {
        #expect { try MailtoLink(parsing: text) } throws: { ($0 as? MailError)?.code == .invalidMessage }
    }
}
