import CoreDataFoundation

/// Reads property lists from XML events.
package enum XMLPropertyList {
    /// Reads the rest of the element `name`, whose start event has been read.
    ///
    /// - Throws: `ModelingError`; the reader's rules bound the depth.
    package static func read(_ name: String, _ events: MarkupEventReader) throws -> PropertyList {
        switch name {
        case "dict": return .dictionary(try pairs(events))
        case "array": return .array(try elements(events))
        case "true", "false":
            _ = try text(of: name, events)
            return .boolean(name == "true")
        default: return try scalar(name, text: try text(of: name, events), events: events)
        }
    }

    private static func scalar(_ name: String, text: String, events: MarkupEventReader) throws -> PropertyList {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let value: PropertyList? =
            switch name {
            case "string", "key": .string(text)
            case "integer": Int64(trimmed).map { .integer($0) } ?? UInt64(trimmed).map { .unsigned($0) }
            case "real": Double(trimmed).map { .real($0) }
            case "date": CalendarSeconds.date(String(trimmed)).map { .date($0) }
            case "data": Data(base64Encoded: text, options: .ignoreUnknownCharacters).map { .data($0) }
            default: nil
            }
        guard let value else { throw events.malformed("the property list has a <\(name)> that is none") }
        return value
    }

    private static func elements(_ events: MarkupEventReader) throws -> [PropertyList] {
        var elements: [PropertyList] = []
        while let name = try nextStart(events) { elements.append(try read(name, events)) }
        return elements
    }

    private static func pairs(_ events: MarkupEventReader) throws -> [String: PropertyList] {
        var pairs: [String: PropertyList] = [:]
        while let name = try nextStart(events) {
            guard name == "key" else { throw events.malformed("the property list has a value without a key") }
            let key = try text(of: name, events)
            guard let value = try nextStart(events) else { throw events.malformed("a key has no value") }
            pairs[key] = try read(value, events)
        }
        return pairs
    }

    /// The name of the next child element, whose start is read; nil at the end of the current element.
    package static func nextStart(_ events: MarkupEventReader) throws -> String? {
        while let event = try events.next() {
            switch event {
            case .start(let name, _): return name
            case .end: return nil
            case .text(let text):
                guard text.allSatisfy(\.isWhitespace) else { throw events.malformed("there is text between elements") }
            }
        }
        return nil
    }

    /// Reads the text of an element without child elements, whose start event has been read.
    static func text(of name: String, _ events: MarkupEventReader) throws -> String {
        var text = ""
        while let event = try events.next() {
            switch event {
            case .text(let part):
                text += part
                guard text.utf8.count <= events.rules.text else {
                    throw ModelingError(.limitExceeded, "a text is longer than is read here", line: events.line)
                }
            case .end: return text
            case .start(let inner, _): throw events.malformed("there is a <\(inner)> in a <\(name)>")
            }
        }
        return text
    }
}
