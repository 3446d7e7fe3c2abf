import CoreData

/// Converts values of attributes to JSON and to text.
///
/// | type | JSON | text |
/// |---|---|---|
/// | integers, Double, Float | number; NaN and infinities are texts | the same |
/// | Decimal | text, so that no digit is lost | the digits |
/// | Boolean | true, false | `YES`, `NO` |
/// | Date | ISO 8601 in UTC | the same |
/// | Binary | base64 | base64; in tables its length |
/// | UUID, URI | text | text |
/// | Transformable, Composite | the decoded objects, as far as JSON can represent them | that JSON in one line |
package enum ValueCoding {
    private static let greatestDepth = 64

    /// The value as JSON; nil is null.
    package static func json(_ value: Any?, _ kind: AttributeKind) -> JSONValue {
        guard let value, !(value is NSNull) else { return .null }
        switch (kind, value) {
        case (.integer16, let number as NSNumber), (.integer32, let number as NSNumber),
            (.integer64, let number as NSNumber):
            return .integer(number.int64Value)
        case (.boolean, let number as NSNumber): return .bool(number.boolValue)
        case (.double, let number as NSNumber): return .real(number.doubleValue)
        case (.float, let number as NSNumber): return float(number)
        case (.decimal, let number as NSNumber):
            return .string(NSDecimalNumber(decimal: number.decimalValue).stringValue)
        case (.uri, let url as URL): return .string(url.absoluteString)
        default: return json(any: value, depth: 0)
        }
    }

    /// The value in one line; nil for nil.
    package static func text(_ value: Any?, _ kind: AttributeKind) -> String? {
        switch json(value, kind) {
        case .null: nil
        case .string(let text): text
        case .bool(let flag) where kind == .boolean: flag ? "YES" : "NO"
        case let other: JSONWriter.line(other)
        }
    }

    private static func float(_ number: NSNumber) -> JSONValue {
        let value = number.floatValue
        return value.isFinite ? .number("\(value)") : .real(Double(value))
    }

    /// Converts any object that may be archived, by its type.
    private static func json(any value: Any, depth: Int) -> JSONValue {
        guard depth < greatestDepth else { return .string("…") }
        switch value {
        case is NSNull: return .null
        case let text as String: return .string(text)
        // Numbers come before rarer types, since a failing cast is slow.
        case let number as NSNumber:
            return (number as? NSDecimalNumber).map { .string($0.stringValue) } ?? json(number)
        case let date as Date: return .string(ISODate.text(date))
        case let data as Data: return .string(data.base64EncodedString())
        case let uuid as UUID: return .string(uuid.uuidString)
        case let url as URL: return .string(url.absoluteString)
        case let id as NSManagedObjectID: return .string(id.uriRepresentation().absoluteString)
        case let dictionary as [AnyHashable: Any]:
            let members = dictionary.map { ("\($0.key.base)", json(any: $0.value, depth: depth + 1)) }
            return .sorted(Dictionary(members, uniquingKeysWith: { first, _ in first }))
        case let list as [Any]: return .array(list.map { json(any: $0, depth: depth + 1) })
        case let list as NSOrderedSet: return .array(list.array.map { json(any: $0, depth: depth + 1) })
        case let set as NSSet:
            let lines = set.allObjects.map { json(any: $0, depth: depth + 1) }.map { ($0, JSONWriter.line($0)) }
            return .array(lines.sorted { $0.1 < $1.1 }.map(\.0))
        default: return .string("<\(type(of: value))>")
        }
    }

    private static func json(_ number: NSNumber) -> JSONValue {
        switch String(cString: number.objCType) {
        case "c", "B": .bool(number.boolValue)
        case "f", "d": .real(number.doubleValue)
        default: .integer(number.int64Value)
        }
    }
}
