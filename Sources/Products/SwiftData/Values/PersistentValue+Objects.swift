import CoreDataGraph
import Foundation

/// A value that is null or a value of its own type in the attribute.
public protocol PersistentText: PersistentValue, OptionalAttributeValue {}

extension PersistentText {
    @inlinable public static func read(_ record: NSManagedObject, _ number: Int) -> Self {
        record.attribute(number) ?? emptyValue
    }
    @inlinable public static func write(_ value: Self, _ record: NSManagedObject, _ number: Int) {
        record.setAttribute(number, Optional(value))
    }
    @inlinable public static func readOptional(_ record: NSManagedObject, _ number: Int) -> Self? {
        record.attribute(number)
    }
    @inlinable public static func writeOptional(_ value: Self?, _ record: NSManagedObject, _ number: Int) {
        record.setAttribute(number, value)
    }
}

extension String: PersistentText {
    public static var attributeType: NSAttributeDescription.AttributeType { .string }
    @inlinable public static var emptyValue: String { "" }
}

extension Date: PersistentText {
    public static var attributeType: NSAttributeDescription.AttributeType { .date }
    @inlinable public static var emptyValue: Date { Date(timeIntervalSinceReferenceDate: 0) }
}

extension Data: PersistentText {
    public static var attributeType: NSAttributeDescription.AttributeType { .binaryData }
    @inlinable public static var emptyValue: Data { Data() }
}

extension UUID: PersistentText {
    public static var attributeType: NSAttributeDescription.AttributeType { .uuid }
    /// The identifier whose bytes are all zero.
    public static var emptyValue: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}

extension URL: PersistentText {
    public static var attributeType: NSAttributeDescription.AttributeType { .uri }
    /// The root of the file system.
    public static var emptyValue: URL { URL(filePath: "/") }
}

extension Decimal: PersistentText {
    public static var attributeType: NSAttributeDescription.AttributeType { .decimal }
    @inlinable public static var emptyValue: Decimal { 0 }
    public var foundationValue: Any? { self as NSDecimalNumber }
    public static func value(of foundationValue: Any?) -> Decimal? {
        (foundationValue as? NSDecimalNumber)?.decimalValue ?? foundationValue as? Decimal
    }
}
