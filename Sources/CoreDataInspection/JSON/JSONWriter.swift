import CoreData

/// Writes JSON: the same bytes for the same value, members in the order of their object.
///
/// Control characters and those that turn a line around are escaped, so that the text can be shown on a terminal.
package struct JSONWriter {
    /// The text so far.
    package private(set) var text = ""
    private let isIndented: Bool

    private init(isIndented: Bool) { self.isIndented = isIndented }

    /// The value in one line.
    package static func line(_ value: JSONValue) -> String {
        var writer = JSONWriter(isIndented: false)
        writer.write(value, depth: 0)
        return writer.text
    }

    /// The value with a line a member, indented by two blanks a level.
    package static func lines(_ value: JSONValue) -> String {
        var writer = JSONWriter(isIndented: true)
        writer.write(value, depth: 0)
        return writer.text
    }

    private mutating func write(_ value: JSONValue, depth: Int) {
        switch value {
        case .null: text += "null"
        case .bool(let flag): text += flag ? "true" : "false"
        case .integer(let number): text += String(number)
        case .number(let number): text += number
        case .string(let string): write(string)
        case .array(let elements):
            list("[", "]", elements, depth) { writer, element in writer.write(element, depth: depth + 1) }
        case .members(let members):
            list("{", "}", members, depth) { writer, member in
                writer.write(member.key)
                writer.text += writer.isIndented ? ": " : ":"
                writer.write(member.value, depth: depth + 1)
            }
        }
    }

    private mutating func list<Element>(
        _ open: String, _ close: String, _ elements: [Element], _ depth: Int,
        _ body: (inout JSONWriter, Element) -> Void
    ) {
        text += open
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            breakLine(depth + 1)
            body(&self, element)
        }
        if !elements.isEmpty { breakLine(depth) }
        text += close
    }

    private mutating func breakLine(_ depth: Int) {
        guard isIndented else { return }
        text += "\n" + String(repeating: "  ", count: depth)
    }

    private mutating func write(_ string: String) {
        text += "\""
        defer { text += "\"" }
        let isPlain = string.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }
        guard !isPlain else {
            text += string
            return
        }
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where PrintableText.needsEscape(scalar):
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
