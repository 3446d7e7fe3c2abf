import CoreDataModeling
import CoreDataStore
import CoreDataSync
import Foundation

extension ValueConversion {
    /// A value as an attribute of a managed object has it; nil for null.
    ///
    /// - Throws: A `ValueRejection` for a transformable that cannot be decoded, and `SyncError` for a value whose bytes are not here.
    static func object(_ value: SyncValue, _ attribute: AttributeMapping) throws -> Any? {
        switch (attribute.kind, converted(value, to: attribute.kind)) {
        case (.transformable, .data(let bytes)):
            return try Transformation.value(from: Data(bytes), attribute.attribute)
        case (_, let value): return try plainObject(value)
        }
    }

    /// A value as Foundation has it, whatever the attribute: a transformable as its stored bytes.
    static func plainObject(_ value: SyncValue) throws -> Any? {
        switch value {
        case .null: nil
        case .bool(let flag): flag
        case .int(let number): Int(number)
        case .float(let number): number
        case .double(let number): number
        case .decimal(let number): NSDecimalNumber(decimal: number)
        case .string(let text): text
        case .uri(let text): URL(string: text)
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .uuid(let uuid): uuid
        case .data(let bytes): Data(bytes)
        case .array(let elements): try elements.map { try plainObject($0) ?? NSNull() }
        case .large, .unknown:
            throw SyncError(
                .unknownItem, "The bytes of a value are not on this device.", cure: "Exchange, and try again.")
        }
    }

    /// A value that a program gives, as one of an attribute of a kind; of a value of its own type if the kind is not known.
    ///
    /// - Returns: nil for a value of another type.
    static func syncValue(of object: Any?, _ kind: AttributeKind?) -> SyncValue? {
        guard let object, !(object is NSNull) else { return .null }
        switch kind {
        case .integer16, .integer32, .integer64, .boolean, .double, .float, .decimal:
            guard let kind, let number = object as? NSNumber else { return nil }
            return syncValue(of: number, kind)
        case .string: return (object as? String).map { .string($0) }
        case .uri: return (object as? URL).map { .uri($0.absoluteString) }
        case .date: return (object as? Date).map { .date($0.timeIntervalSinceReferenceDate) }
        case .uuid: return (object as? UUID).map { .uuid($0) }
        case .binary, .transformable: return (object as? Data).map { .data(Array($0)) }
        case .undefined, .objectID, .composite: return nil
        case nil: return syncValue(ofUnknown: object)
        }
    }

    private static func syncValue(of number: NSNumber, _ kind: AttributeKind) -> SyncValue? {
        switch kind {
        case .boolean: return .bool(number.boolValue)
        case .double: return .double(number.doubleValue)
        case .float: return .float(number.floatValue)
        case .decimal: return .decimal(number.decimalValue)
        default:
            let integer = number.int64Value
            guard number.compare(NSNumber(value: integer)) == .orderedSame else { return nil }
            return converted(.int(integer), to: kind) == .int(integer) ? .int(integer) : nil
        }
    }

    private static func syncValue(ofUnknown object: Any) -> SyncValue? {
        switch object {
        case let flag as Bool: .bool(flag)
        case let number as Int: .int(Int64(number))
        case let number as Double: .double(number)
        case let number as Float: .float(number)
        case let number as NSDecimalNumber: .decimal(number.decimalValue)
        case let text as String: .string(text)
        case let url as URL: .uri(url.absoluteString)
        case let date as Date: .date(date.timeIntervalSinceReferenceDate)
        case let uuid as UUID: .uuid(uuid)
        case let data as Data: .data(Array(data))
        default: nil
        }
    }
}
