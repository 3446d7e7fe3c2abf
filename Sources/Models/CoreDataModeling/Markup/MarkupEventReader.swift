import CoreDataFoundation

/// Reads XML as events, with memory for the largest tag or text only, whatever the size of the document.
///
/// Invariant: events are in the order of the document, and each start is followed by its end; after an error there are
/// none.
package final class MarkupEventReader {
    package enum Event: Equatable {
        case start(String, [String: String])
        /// Text between two tags, with its references resolved; a text may come in several events.
        case text(String)
        case end(String)
    }

    private var lexer: MarkupLexer
    /// The end of an element that was written as `<a/>`.
    private var pendingEnd: String?
    private var open: [String] = []

    /// - Parameter refill: returns the next bytes, or none at the end.
    package init(rules: MarkupRules = MarkupRules(), _ refill: @escaping () throws -> [UInt8]) {
        lexer = MarkupLexer(rules: rules, refill: refill)
    }

    package init(_ data: Data, rules: MarkupRules = MarkupRules()) {
        lexer = MarkupLexer([UInt8](data), rules: rules)
    }

    package var rules: MarkupRules { lexer.rules }

    /// The current line, from 1.
    package var line: Int { lexer.line }

    /// The number of bytes before the next token: after a start or end event, the offset of the byte after the tag.
    package var offset: Int { lexer.offset }

    /// The next event; nil at the end of the document.
    ///
    /// - Throws: `ModelingError` with the position, and what `refill` throws.
    package func next() throws -> Event? {
        if let name = pendingEnd {
            pendingEnd = nil
            return .end(name)
        }
        while let token = try lexer.next() {
            switch token {
            case .startTag, .emptyTag: return try start(isEmpty: token == .emptyTag)
            case .endTag: return .end(open.removeLast())
            case .text: return .text(try lexer.resolved(lexer.range))
            case .characterData:
                let text = try lexer.string(lexer.range.dropFirst(9).dropLast(3))
                if !text.isEmpty { return .text(text) }
            case .other: continue
            }
        }
        return nil
    }

    private func start(isEmpty: Bool) throws -> Event {
        let name = try lexer.string(lexer.name)
        var attributes: [String: String] = [:]
        for attribute in lexer.attributes {
            attributes[try lexer.string(attribute.name)] = try lexer.resolved(attribute.value)
        }
        if isEmpty { pendingEnd = name } else { open.append(name) }
        return .start(name, attributes)
    }

    /// The error, with the line, for a well-formed document whose contents are invalid.
    package func malformed(_ cause: String) -> ModelingError { ModelingError(.malformed, cause, line: line) }
}
