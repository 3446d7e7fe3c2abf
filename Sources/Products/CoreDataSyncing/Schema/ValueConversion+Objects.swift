import CoreDataFoundation
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
}
