import CoreDataModeling
import Testing

@Suite struct MarkupLexerTests {
    private static let document = """
        \u{FEFF}<?xml version='1.0'?>\r\n<!DOCTYPE a SYSTEM "x>y">
        <!-- é --><a b = 'c&amp;' \n d="🎩"><![CDATA[<x>]]> te&#x1F3A9;xt \n<e  /><f></f ><?p q?></a >\n<!-- end -->

        """

    private static func lexer(_ text: String, pieces size: Int) -> MarkupLexer {
        let bytes = [UInt8](text.utf8)
        var place = 0
        return MarkupLexer(rules: MarkupRules()) {
            defer { place = min(place + size, bytes.count) }
            return Array(bytes[place..<min(place + size, bytes.count)])
        }
    }

    private struct Seen: Equatable {
        let token: MarkupLexer.Token
        let text: String
        let start: Int
        let line: Int
    }

    private static func tokens(_ lexer: MarkupLexer) throws -> [Seen] {
        var (lexer, seen) = (lexer, [Seen]())
        while let token = try lexer.next() {
            seen.append(
                Seen(
                    token: token, text: try lexer.string(lexer.range), start: lexer.range.lowerBound,
                    line: lexer.tokenPlace.line))
        }
        return seen
    }

    @Test("tokens have the bytes, offsets and lines of the document, in pieces of any size (HAZ-46)")
    func tokensOfPieces() throws {
        let whole = try Self.tokens(MarkupLexer([UInt8](Self.document.utf8), rules: MarkupRules()))
        #expect(
            whole.map(\.token) == [
                .other, .other, .other, .startTag, .characterData, .text, .emptyTag, .startTag, .endTag, .other,
                .endTag,
                .other,
            ])
        #expect(whole.map(\.line) == [1, 2, 3, 3, 4, 4, 5, 5, 5, 5, 5, 6])
        let bytes = [UInt8](Self.document.utf8)
        for seen in whole { #expect(bytes[seen.start...].starts(with: seen.text.utf8)) }
        for size in 1...40 { #expect(try Self.tokens(Self.lexer(Self.document, pieces: size)) == whole, "\(size)") }
    }

    @Test("names, values and white space of tags are at their offsets, references resolved where asked for")
    func attributesOfTags() throws {
        for size in [1, 3, 1000] {
            var lexer = Self.lexer("<a b = 'c&amp;&#10;'\n d=\"\"/>", pieces: size)
            #expect(try lexer.next() == .emptyTag)
            #expect(try lexer.string(lexer.name) == "a" && lexer.attributes.count == 2)
            let first = try #require(lexer.attributes.first)
            #expect(try lexer.string(first.name) == "b" && lexer.string(first.value) == "c&amp;&#10;")
            #expect(try lexer.resolved(first.value) == "c&\n")
            #expect(try lexer.attributes.last.map { try lexer.string($0.value) } == "")
            #expect(try lexer.next() == nil)
        }
    }

    @Test("a long text of a document in pieces comes in several tokens, none of which ends within a character")
    func longTexts() throws {
        let text = String(repeating: "aé🎩&amp;\n", count: 40_000)
        for size in [65_535, 65_536, 65_537, 65_538] {
            var lexer = Self.lexer("<a>\(text)</a>", pieces: size)
            #expect(try lexer.next() == .startTag)
            var (found, count) = ("", 0)
            while try lexer.next() == .text {
                found += try lexer.string(lexer.range)
                count += 1
            }
            #expect(found == text && count > 2)
        }
    }

    @Test(
        "what is not XML is refused in pieces as it is as a whole, with the same place (HAZ-46)",
        arguments: [
            "<a b=\"1\"c=\"2\"/>", "<a>\u{1}</a>", "<a><!-- \u{1} --></a>", "<a>\u{FFFF}</a>", "<a></b>", "<a>", "<a",
            "<a/><b/>", "<a/>x", "x", "<a>&b;</a>", "<a>&#x0;</a>", "<a>&#+65;</a>", "<a>& </a>", "<a b='1' b='2'/>",
            "<a><!ELEMENT a ANY></a>", "<!DOCTYPE a [", "<!DOCTYPE a", "<?xml encoding='UTF-16'?><a/>", "<a b='<'/>",
            "<a b></a>", "<a><![CDATA[", "<a></a", "</a>",
        ])
    func refusals(text: String) {
        func error(_ lexer: MarkupLexer) -> ModelingError? {
            #expect(throws: ModelingError.self, "\(text)") { try Self.tokens(lexer) }
        }
        let whole = error(MarkupLexer([UInt8](text.utf8), rules: MarkupRules()))
        #expect(whole?.line == 1 && whole?.column != nil)
        for size in 1...4 { #expect(error(Self.lexer(text, pieces: size)) == whole, "\(size)") }
    }

    @Test("attributes of one name are found among few and many (HAZ-47)")
    func attributesOfOneName() {
        for count in [2, 24, 25, 200] {
            let names = (1..<count).map { "n\($0)" }
            func isRefused(_ names: [String]) -> Bool {
                let text = "<a " + names.map { "\($0)=''" }.joined(separator: " ") + "/>"
                return (try? Self.tokens(MarkupLexer([UInt8](text.utf8), rules: MarkupRules()))) == nil
            }
            #expect(!isRefused(names + ["n"]) && isRefused(names + ["n1"]))
        }
    }

    @Test("what is longer than the rules allow is refused before it is read to its end (HAZ-46)")
    func limits() {
        var rules = MarkupRules()
        (rules.names, rules.text, rules.comments, rules.attributes, rules.elements) = (8, 100, 50, 3, 5)
        let long = String(repeating: "x", count: 101)
        let texts = [
            "<\(long)", "<a \(long)", "<a b='\(long)", "<!--\(long)", "<?\(long)", "<a><![CDATA[\(long)",
            "<!DOCTYPE \(long)", "<a b='' c='' d='' e=''/>", "<a>\(String(repeating: "<b/>", count: 5))</a>",
        ]
        for text in texts {
            var (rest, reads) = ([UInt8](text.utf8), 0)
            var lexer = MarkupLexer(rules: rules) {
                reads += 1
                defer { rest.removeFirst(min(10, rest.count)) }
                // It never ends.
                return rest.isEmpty ? Array(repeating: UInt8(ascii: "x"), count: 10) : Array(rest.prefix(10))
            }
            let error = #expect(throws: ModelingError.self) { while try lexer.next() != nil {} }
            #expect(error?.code == .limitExceeded && reads < 40, "\(text)")
        }
    }
}
