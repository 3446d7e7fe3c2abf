import CoreData

/// A place in a document: names that lead from a value to those within it.
///
/// Names are separated by points; in a name `\.` stands for a point and `\\` for a backslash. `*` is any name. A number is an
/// element of an array, from 0; otherwise arrays are passed through: a name stands for that member of each element. The text
/// `.` is the value itself. In XML a name is that of an element, and `@name` an attribute. Behind a name `[member=text]` keeps the
/// values whose member has that text, `[!member]` those without the member.
package struct DocumentPath: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        case any
        case name(String)
        /// Those of the values so far of whose members one has a text, or, for nil, is not there.
        case having(String, String?)
    }

    package let steps: [Step]

    init(_ steps: [Step]) { self.steps = steps }

    /// Nil for a text with an empty name or condition, or with a backslash before another character.
    package init?(_ text: String) {
        if text.isEmpty || text == "." {
            steps = []
            return
        }
        var steps: [Step] = []
        var rest = Substring(text)
        repeat {
            guard let name = Self.name(&rest, until: [".", "["]), !name.text.isEmpty else { return nil }
            steps.append(name.text == "*" && !name.isEscaped ? .any : .name(name.text))
            while rest.first == "[" {
                rest.removeFirst()
                guard let condition = Self.condition(&rest) else { return nil }
                steps.append(condition)
            }
            guard rest.isEmpty || rest.first == "." && rest.count > 1 else { return nil }
        } while rest.popFirst() != nil
        self.steps = steps
    }

    /// The text up to one of some characters that is not escaped.
    private static func name(_ rest: inout Substring, until ends: Set<Character>) -> (text: String, isEscaped: Bool)? {
        var (text, isEscaped) = ("", false)
        while let character = rest.first, !ends.contains(character) {
            rest.removeFirst()
            guard character == "\\" else {
                text.append(character)
                continue
            }
            guard let next = rest.popFirst(), [".", "\\", "*", "[", "]", "="].contains(next) else { return nil }
            text.append(next)
            isEscaped = true
        }
        return (text, isEscaped)
    }

    private static func condition(_ rest: inout Substring) -> Step? {
        let isMissing = rest.first == "!"
        if isMissing { rest.removeFirst() }
        guard let name = name(&rest, until: ["=", "]"]), !name.text.isEmpty else { return nil }
        guard rest.popFirst() == "=" else { return isMissing ? .having(name.text, nil) : nil }
        guard !isMissing, let value = Self.name(&rest, until: ["]"]), rest.popFirst() == "]" else { return nil }
        return .having(name.text, value.text)
    }

    /// The path as it is written.
    package var text: String {
        guard !steps.isEmpty else { return "." }
        var text = ""
        for step in steps {
            switch step {
            case .any: text += text.isEmpty ? "*" : ".*"
            case .name(let name): text += (text.isEmpty ? "" : ".") + (name == "*" ? "\\*" : Self.escaped(name))
            case .having(let name, nil): text += "[!\(Self.escaped(name))]"
            case .having(let name, let value?): text += "[\(Self.escaped(name))=\(Self.escaped(value))]"
            }
        }
        return text
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { $0 += [".", "\\", "[", "]", "="].contains($1) ? "\\\($1)" : "\($1)" }
    }

    /// Whether it says of which values some are meant, which only a path within a record can.
    var hasConditions: Bool { steps.contains { if case .having = $0 { true } else { false } } }

    /// Whether it leads to an attribute of XML.
    var endsInAttribute: Bool { if case .name(let name)? = steps.last { name.hasPrefix("@") } else { false } }

    /// The number of an element of an array that a path asks for at a depth; nil if it asks for none.
    func number(at depth: Int) -> Int? {
        guard depth < steps.count, case .name(let name) = steps[depth] else { return nil }
        return Int(name)
    }

    /// The part that leads to elements or objects of a document, and the rest, which is looked up in these.
    var placeAndRest: (place: DocumentPath, rest: DocumentPath) {
        let end = steps.firstIndex { step in
            switch step {
            case .having: true
            case .name(let name): name.hasPrefix("@") || Int(name) != nil
            case .any: false
            }
        }
        return (
            DocumentPath(Array(steps[..<(end ?? steps.count)])), DocumentPath(Array(steps[(end ?? steps.count)...]))
        )
    }

    /// Whether a member of this name may lie at a depth.
    func allows(_ name: String, at depth: Int) -> Bool {
        guard depth < steps.count else { return false }
        return switch steps[depth] {
        case .any: true
        case .name(let expected): expected == name
        case .having: false
        }
    }

    /// The values at the path, in their order. An array there is one value.
    func values(in value: JSONValue) -> [JSONValue] {
        var values = [value]
        for step in steps { values = values.flatMap { Self.values(step, in: $0) } }
        return values
    }

    private static func values(_ step: Step, in value: JSONValue) -> [JSONValue] {
        switch (value, step) {
        case (.array(let elements), .having): return elements.flatMap { values(step, in: $0) }
        case (.members(let members), .having(let name, let text)):
            let member = members.first { $0.key == name }?.value
            let isMeant = text.map { member?.text == $0 } ?? (member == nil)
            return isMeant ? [value] : []
        case (_, .having): return []
        case (.members(let members), .any): return members.map(\.value)
        case (.members(let members), .name(let name)): return members.filter { $0.key == name }.map(\.value)
        case (.array(let elements), .any): return elements
        case (.array(let elements), .name(let name)):
            if let number = Int(name) { return elements.indices.contains(number) ? [elements[number]] : [] }
            return elements.flatMap { values(step, in: $0) }
        default: return []
        }
    }
}

extension JSONValue {
    /// The text of a value; nil for null, an array and an object, unless that is an element of XML with text.
    package var text: String? {
        switch self {
        case .string(let text), .number(let text): return text
        case .integer(let number): return String(number)
        case .bool(let flag): return flag ? "true" : "false"
        case .members(let members):
            if let text = members.first(where: { $0.key == "#text" })?.value { return text.text }
            // An element with attributes alone has an empty text.
            return !members.isEmpty && members.allSatisfy { $0.key.hasPrefix("@") } ? "" : nil
        case .null, .array: return nil
        }
    }
}
