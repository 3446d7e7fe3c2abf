import CoreDataModeling

/// The text of an XML property list, with the ranges of its strings and keys, so that single ones can be replaced.
///
/// Dictionaries, arrays and strings become nodes; every other value becomes `other`.
struct ListText {
    indirect enum Node {
        case dictionary([Member])
        case array([Node])
        case text(String, Range<String.Index>)
        case other

        typealias Member = (key: String, place: Range<String.Index>, value: Node)

        /// The value under a key.
        subscript(key: String) -> Node? {
            guard case .dictionary(let members) = self else { return nil }
            return members.first { $0.key == key }?.value
        }

        var elements: [Node] { if case .array(let elements) = self { elements } else { [] } }

        var members: [Member] {
            if case .dictionary(let members) = self { members } else { [] }
        }

        var string: String? { if case .text(let text, _) = self { text } else { nil } }
    }

    let text: String
    let root: Node

    /// Parses a property list; nil for a text that is not one in XML.
    init?(_ text: String) {
        var reader = ListTextReader(text)
        guard let root = try? reader.readList() else { return nil }
        (self.text, self.root) = (text, root)
    }

    /// The text with the strings at the given ranges replaced; the new strings are escaped for XML.
    func replacing(_ values: [(range: Range<String.Index>, text: String)]) -> String {
        var result = ""
        var place = text.startIndex
        for (range, value) in values.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
        where range.lowerBound >= place {
            result += text[place..<range.lowerBound]
            result += MarkupText.escaped(value)
            place = range.upperBound
        }
        return result + text[place...]
    }
}

/// Parses the markup of a property list into nodes; throws an error at markup that property lists do not have.
private struct ListTextReader {
    private let text: String
    private var lexer: MarkupLexer

    init(_ text: String) {
        self.text = text
        lexer = MarkupLexer(Array(text.utf8), rules: MarkupRules())
    }

    mutating func readList() throws -> ListText.Node {
        guard try nextTag() == .startTag, try lexer.string(lexer.name) == "plist", let tag = try nextTag() else {
            throw lexer.malformed("there is no <plist> with a value in it")
        }
        let list = try readNode(tag)
        guard try nextTag() == .endTag, try nextTag() == nil else {
            throw lexer.malformed("<plist> has more than one value")
        }
        return list
    }

    /// The next tag, after skipping comments and white space; nil at the end.
    private mutating func nextTag() throws -> MarkupLexer.Token? {
        while let token = try lexer.next() {
            switch token {
            case .startTag, .emptyTag, .endTag: return token
            case .other: continue
            case .text where lexer.bytes(lexer.range).allSatisfy(MarkupText.isWhiteSpace): continue
            case .text, .characterData: throw lexer.malformed("there is text between elements")
            }
        }
        return nil
    }

    /// Parses the value whose first tag has been read. The lexer's rules limit the nesting, and so the recursion.
    private mutating func readNode(_ tag: MarkupLexer.Token) throws -> ListText.Node {
        guard tag != .endTag else { throw lexer.malformed("a key has no value") }
        guard tag == .startTag else { return .other }
        switch try lexer.string(lexer.name) {
        case "dict": return .dictionary(try readMembers())
        case "array": return .array(try readElements())
        case "string":
            let (text, place) = try readText()
            return .text(text, place)
        default:
            _ = try readText()
            return .other
        }
    }

    private mutating func readMembers() throws -> [ListText.Node.Member] {
        var members: [ListText.Node.Member] = []
        while let tag = try nextTag(), tag != .endTag {
            guard tag == .startTag, try lexer.string(lexer.name) == "key" else {
                throw lexer.malformed("the property list has a value without a key")
            }
            let (key, place) = try readText()
            guard let value = try nextTag() else { throw lexer.malformed("a key has no value") }
            members.append((key, place, try readNode(value)))
        }
        return members
    }

    private mutating func readElements() throws -> [ListText.Node] {
        var elements: [ListText.Node] = []
        while let tag = try nextTag(), tag != .endTag { elements.append(try readNode(tag)) }
        return elements
    }

    /// Reads the text between a start tag and its end tag; throws an error for markup in between.
    private mutating func readText() throws -> (text: String, place: Range<String.Index>) {
        var (value, range) = ("", lexer.offset..<lexer.offset)
        var token = try lexer.next()
        if token == .text {
            (value, range) = (try lexer.resolved(lexer.range), lexer.range)
            token = try lexer.next()
        }
        guard token == .endTag else { throw lexer.malformed("there is markup in a text") }
        return (value, index(range.lowerBound)..<index(range.upperBound))
    }

    private func index(_ offset: Int) -> String.Index { text.utf8.index(text.startIndex, offsetBy: offset) }
}
