import Foundation

/// A value of JavaScript as it comes from and goes to a page.
public enum WebValue: Codable, Equatable, Sendable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByNilLiteral
{
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([WebValue])
    case object([String: WebValue])

    public init(nilLiteral: ()) { self = .null }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .number(Double(value)) }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([WebValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: WebValue].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        // A number without a fraction is encoded as an integer, which the protocol requires in places.
        case .number(let value):
            if let whole = Int(exactly: value) { try container.encode(whole) } else { try container.encode(value) }
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }

    /// The text; nil for another value.
    public var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The number; nil for another value.
    public var number: Double? { if case .number(let number) = self { number } else { nil } }

    /// The truth value; nil for another value.
    public var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }

    /// The elements of an array; empty for another value.
    public var elements: [WebValue] { if case .array(let elements) = self { elements } else { [] } }

    /// A member of an object; null if it is missing.
    public subscript(key: String) -> WebValue {
        if case .object(let members) = self { members[key] ?? .null } else { .null }
    }
}
