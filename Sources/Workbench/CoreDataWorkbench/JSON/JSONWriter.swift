import CoreData

/// Writes JSON deterministically: equal values give the same bytes, and members keep their order.
///
/// Control characters and characters that change the direction of text are escaped, so that the text is safe on a
/// terminal.
package struct JSONWriter: ~Copyable {
    private var text = ByteText()
    private let isIndented: Bool

    private init(isIndented: Bool) { self.isIndented = isIndented }

    /// The value in one line.
    package static func line(_ value: JSONValue) -> String {
        var writer = JSONWriter(isIndented: false)
        writer.write(value, depth: 0)
        return writer.text.string
    }

    /// The value with one line for each member or element, indented by two blanks for each level.
    package static func lines(_ value: JSONValue) -> String {
        var writer = JSONWriter(isIndented: true)
        writer.write(value, depth: 0)
        return writer.text.string
    }

    private mutating func write(_ value: JSONValue, depth: Int) {
        switch value {
        case .null: text.append("null" as StaticString)
        case .bool(let flag): text.append(flag ? "true" as StaticString : "false")
        case .integer(let number): text.append(number)
        case .number(let number): text.append(number)
        case .string(let string): text.append(quoted: string)
        case .array(let elements):
            list("[", close: "]", elements: elements, depth: depth) { writer, element in
                writer.write(element, depth: depth + 1)
            }
        case .members(let members):
            list("{", close: "}", elements: members, depth: depth) { writer, member in
                writer.text.append(quoted: member.key)
                writer.text.append(writer.isIndented ? ": " as StaticString : ":")
                writer.write(member.value, depth: depth + 1)
            }
        }
    }

    private mutating func list<Element>(
        _ open: StaticString, close: StaticString, elements: [Element], depth: Int,
        body: (inout JSONWriter, Element) -> Void
    ) {
        text.append(open)
        for (index, element) in elements.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            breakLine(depth + 1)
            body(&self, element)
        }
        if !elements.isEmpty { breakLine(depth) }
        text.append(close)
    }

    private mutating func breakLine(_ depth: Int) {
        guard isIndented else { return }
        text.append(UInt8(ascii: "\n"))
        for _ in 0..<depth { text.append("  " as StaticString) }
    }
}
