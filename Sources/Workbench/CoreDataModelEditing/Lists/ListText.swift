import CoreDataModeling

/// A property list in XML as text, with the places of its strings and keys.
///
/// It only reads the contents of application lists: dictionaries, arrays and values in their own tags.
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

    private static let greatestDepth = 64

    let text: String
    private(set) var root = Node.other
    private var index: String.Index

    /// Reads a list; nil for other texts, and for markup that lists do not have.
    init?(_ text: String) {
        self.text = text
        index = text.startIndex
        guard let tag = nextTag(), tag.hasPrefix("plist"), let first = nextTag(), let node = node(first, depth: 0),
            nextTag() == "/plist"
        else { return nil }
        root = node
    }

    /// The next tag without its brackets; declarations and comments are skipped.
    private mutating func nextTag() -> String? {
        while let start = text[index...].firstIndex(of: "<") {
            if text[start...].hasPrefix("<!--") {
                guard let end = text.range(of: "-->", range: start..<text.endIndex) else { return nil }
                index = end.upperBound
                continue
            }
            guard let end = text[start...].firstIndex(of: ">") else { return nil }
            let tag = text[text.index(after: start)..<end]
            index = text.index(after: end)
            if tag.hasPrefix("?") || tag.hasPrefix("!DOCTYPE") && !tag.contains("[") { continue }
            return tag.hasPrefix("!") ? nil : String(tag)
        }
        return nil
    }

    private mutating func node(_ tag: String, depth: Int) -> Node? {
        guard depth < Self.greatestDepth else { return nil }
        switch tag {
        case "dict": return dictionary(depth)
        case "array": return array(depth)
        case "string": return content(of: tag).map { .text(MarkupText.decoded(String(text[$0])), $0) }
        case _ where tag.hasSuffix("/"): return .other
        default: return content(of: tag).map { _ in .other }
        }
    }

    private mutating func dictionary(_ depth: Int) -> Node? {
        var members: [Node.Member] = []
        while let tag = nextTag() {
            if tag == "/dict" { return .dictionary(members) }
            guard tag == "key", let key = content(of: tag), let value = nextTag(),
                let node = node(value, depth: depth + 1)
            else { return nil }
            members.append((MarkupText.decoded(String(text[key])), key, node))
        }
        return nil
    }

    private mutating func array(_ depth: Int) -> Node? {
        var elements: [Node] = []
        while let tag = nextTag() {
            if tag == "/array" { return .array(elements) }
            guard let node = node(tag, depth: depth + 1) else { return nil }
            elements.append(node)
        }
        return nil
    }

    /// What is between a tag and its end, without markup in it.
    private mutating func content(of tag: String) -> Range<String.Index>? {
        guard let end = text[index...].firstIndex(of: "<"), text[end...].hasPrefix("</\(tag)>") else { return nil }
        let range = index..<end
        index = text.index(end, offsetBy: tag.count + 3)
        return range
    }

    /// The text with other strings at some places.
    func replacing(_ values: [(range: Range<String.Index>, text: String)]) -> String {
        var result = ""
        var place = text.startIndex
        for (range, value) in values.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
        where range.lowerBound >= place {
            result += text[place..<range.lowerBound]
            result += value.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            place = range.upperBound
        }
        return result + text[place...]
    }
}
