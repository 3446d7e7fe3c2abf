import CoreData

/// A value of JSON whose objects keep the order of their members.
package enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number as the text in which it is written.
    case number(String)
    case string(String)
    case array([JSONValue])
    case members([Member])

    /// One member of an object.
    package struct Member: Sendable {
        package let key: String
        package let value: JSONValue

        package init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// An object with members in the given order.
    package static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        .members(members.map { Member(key: $0.0, value: $0.1) })
    }

    /// A number; values that JSON numbers cannot represent become the texts `NaN`, `Infinity` or `-Infinity`.
    package static func real(_ value: Double) -> JSONValue {
        if value.isNaN { return .string("NaN") }
        guard value.isFinite else { return .string(value < 0 ? "-Infinity" : "Infinity") }
        return .number("\(value)")
    }

    /// The text, or null.
    package static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    /// The number, or null.
    package static func count(_ count: Int?) -> JSONValue { count.map { .integer(Int64($0)) } ?? .null }

    /// An object whose members are in the byte order of their keys.
    package static func sorted(_ members: [String: JSONValue]) -> JSONValue {
        .object(members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { ($0.key, $0.value) })
    }
}
