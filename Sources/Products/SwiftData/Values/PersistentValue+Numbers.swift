import CoreDataGraph
import Foundation

/// A number, which an attribute has without boxing.
public protocol PersistentNumber: PersistentValue, AttributeValue {
    /// Makes the number if its type has it.
    init?(exactly number: NSNumber)
    /// The number in the form that a record has.
    var asNumber: NSNumber { get }
}

extension PersistentNumber {
    @inlinable public static func read(_ record: NSManagedObject, _ number: Int) -> Self { record.attribute(number) }
    @inlinable public static func write(_ value: Self, _ record: NSManagedObject, _ number: Int) {
        record.setAttribute(number, value)
    }
    public static func readOptional(_ record: NSManagedObject, _ number: Int) -> Self? {
        let found: NSNumber? = record.attribute(number)
        return found.flatMap(value)
    }
    public static func writeOptional(_ value: Self?, _ record: NSManagedObject, _ number: Int) {
        record.setAttribute(number, value?.asNumber)
    }
    public var foundationValue: Any? { asNumber }
    public static func value(of foundationValue: Any?) -> Self? {
        (foundationValue as? NSNumber).flatMap { Self(exactly: $0) }
    }
}

extension Int: PersistentNumber {
    public static var attributeType: NSAttributeDescription.AttributeType { .integer64 }
    /// The number in the form that a record has.
    @inlinable public static var emptyValue: Int { 0 }
    public var asNumber: NSNumber { NSNumber(value: self) }
}

extension Int16: PersistentNumber {
    public static var attributeType: NSAttributeDescription.AttributeType { .integer16 }
    /// The number in the form that a record has.
    @inlinable public static var emptyValue: Int16 { 0 }
    public var asNumber: NSNumber { NSNumber(value: self) }
}

extension Int32: PersistentNumber {
    public static var attributeType: NSAttributeDescription.AttributeType { .integer32 }
    /// The number in the form that a record has.
    @inlinable public static var emptyValue: Int32 { 0 }
    public var asNumber: NSNumber { NSNumber(value: self) }
}

extension Int64: PersistentNumber {
    public static var attributeType: NSAttributeDescription.AttributeType { .integer64 }
    /// The number in the form that a record has.
    @inlinable public static var emptyValue: Int64 { 0 }
    public var asNumber: NSNumber { NSNumber(value: self) }
}

extension Bool: PersistentNumber {
    public static var attributeType: NSAttributeDescription.AttributeType { .boolean }
    /// The number in the form that a record has.
    @inlinable public static var emptyValue: Bool { false }
    public var asNumber: NSNumber { NSNumber(value: self) }
}

extension Double: PersistentNumber {
    public static var attributeType: NSAttributeDescription.AttributeType { .double }
    /// The number in the form that a record has.
    @inlinable public static var emptyValue: Double { 0 }
    public var asNumber: NSNumber { NSNumber(value: self) }
}

extension Float: PersistentNumber {
    public static var attributeType: NSAttributeDescription.AttributeType { .float }
    /// The number in the form that a record has.
    @inlinable public static var emptyValue: Float { 0 }
    public var asNumber: NSNumber { NSNumber(value: self) }
    public static func value(of foundationValue: Any?) -> Float? { (foundationValue as? NSNumber)?.floatValue }
}
