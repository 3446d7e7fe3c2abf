import CoreDataModeling

/// A property list in XML as text, with the places of its strings and keys.
///
/// Dictionaries, arrays and texts are read; other values are passed over.
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

    /// Reads a list; nil for other texts, and for markup that lists do not have.
    init?(_ text: String) {
        var reader = ListTextReader(text)
        guard let root = try? reader.readList() else { return nil }
        (self.text, self.root) = (text, root)
    }

    /// The text with other strings at some places.
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

/// Reads the tags of a property list into nodes; what it does not expect it refuses with an error.
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

    /// The next tag; comments and the white space between tags are skipped.
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

    /// Reads the value whose first tag has been read; the lexer's rules bound the depth.
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

    /// Reads what is between a start tag and its end, without markup in it.
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
