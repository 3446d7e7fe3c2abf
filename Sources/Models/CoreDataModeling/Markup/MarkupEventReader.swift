import CoreDataFoundation

/// Reads XML as events, in the memory of the largest tag or text, whatever the size of the document.
///
/// Invariant: events come in the order of the document, each start is followed by its end, and after an error nothing comes.
package final class MarkupEventReader {
    package enum Event: Equatable {
        case start(String, [String: String])
        /// Text between two tags, references replaced by what they stand for; it may come in several events.
        case text(String)
        case end(String)
    }

    private var lexer: MarkupLexer
    /// The end of an element that was written as `<a/>`.
    private var pendingEnd: String?
    private var open: [String] = []

    /// - Parameter refill: gives the next bytes; none at the end.
    package init(rules: MarkupRules = MarkupRules(), _ refill: @escaping () throws -> [UInt8]) {
        lexer = MarkupLexer(rules: rules, refill: refill)
    }

    package init(_ data: Data, rules: MarkupRules = MarkupRules()) {
        lexer = MarkupLexer([UInt8](data), rules: rules)
    }

    package var rules: MarkupRules { lexer.rules }

    /// The line that has been reached, from 1.
    package var line: Int { lexer.line }

    /// How many bytes have been read: behind a start or an end, the place after its tag.
    package var offset: Int { lexer.offset }

    /// The next event; nil at the end of the document.
    ///
    /// - Throws: `ModelingError` with the place, and what reading the bytes throws.
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

    /// The error for a document that is well-formed and does not have the form that is read, with the line.
    package func malformed(_ cause: String) -> ModelingError { ModelingError(.malformed, cause, line: line) }
}
