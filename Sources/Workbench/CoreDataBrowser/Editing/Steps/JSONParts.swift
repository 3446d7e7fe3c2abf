import CoreData

/// Reads the members of a JSON object that a client sent, each as the type that the caller expects.
struct JSONParts {
    private let values: [String: JSONValue]

    init(_ json: JSONValue) {
        guard case .members(let members) = json else {
            values = [:]
            return
        }
        values = Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    subscript(name: String) -> JSONValue? { values[name] }

    /// A required member, which may be null.
    func value(_ name: String) throws -> JSONValue {
        guard let value = values[name] else { throw Self.missing(name) }
        return value
    }

    func text(_ name: String) throws -> String {
        guard case .string(let text)? = values[name] else { throw Self.missing(name) }
        return text
    }

    /// A text; nil if the member is missing.
    func optionalText(_ name: String) throws -> String? {
        switch values[name] {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw Self.missing(name)
        }
    }

    /// One text, or a list of texts.
    func texts(_ name: String) throws -> [String] {
        guard case .array(let elements)? = values[name] else { return [try text(name)] }
        return try elements.map { element in
            guard case .string(let text) = element else { throw Self.missing(name) }
            return text
        }
    }

    func list(_ name: String) throws -> [JSONValue] {
        switch values[name] {
        case nil, .null: return []
        case .array(let elements): return elements
        default: throw Self.missing(name)
        }
    }

    func members(_ name: String) throws -> [JSONValue.Member] {
        switch values[name] {
        case nil, .null: return []
        case .members(let members): return members
        default: throw Self.missing(name)
        }
    }

    func flag(_ name: String) throws -> Bool {
        switch values[name] {
        case nil, .null: return false
        case .bool(let flag): return flag
        default: throw Self.missing(name)
        }
    }

    /// An integer; nil if the member is missing.
    func number(_ name: String) throws -> Int? {
        switch values[name] {
        case nil, .null: nil
        case let value?: try Self.number(value, name)
        }
    }

    /// The integer value of a member, or of an element of it.
    static func number(_ value: JSONValue, _ name: String) throws -> Int {
        let number: Int? =
            switch value {
            case .integer(let number): Int(exactly: number)
            case .number(let text): Int(text)
            default: nil
            }
        guard let number else { throw missing(name) }
        return number
    }

    static func missing(_ name: String) -> BrowserFailure {
        BrowserFailure(
            422, code: "badStep", reason: "'\(name)' is missing or of another kind than it must be",
            hint: "Docs/Browser.md has the forms")
    }
}
