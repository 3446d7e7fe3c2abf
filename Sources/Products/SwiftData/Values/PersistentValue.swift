import CoreDataGraph
import Foundation

/// A type whose values an attribute has as they are.
public protocol PersistentValue: Codable {
    /// The kind of attribute that has the type's values.
    static var attributeType: NSAttributeDescription.AttributeType { get }
    /// What a property that is not optional reads where a file has null.
    static var emptyValue: Self { get }
    /// Whether null is a value of the type.
    static var isOptional: Bool { get }
    /// Reads the attribute with a number.
    static func read(_ record: NSManagedObject, _ number: Int) -> Self
    /// Writes the attribute with a number.
    static func write(_ value: Self, _ record: NSManagedObject, _ number: Int)
    /// Reads the attribute with a number; nil for null.
    static func readOptional(_ record: NSManagedObject, _ number: Int) -> Self?
    /// Writes the attribute with a number; nil makes it null.
    static func writeOptional(_ value: Self?, _ record: NSManagedObject, _ number: Int)
    /// The value in the form that key-value coding has it in.
    var foundationValue: Any? { get }
    /// The value of what key-value coding returns; nil if it is of another type.
    static func value(of foundationValue: Any?) -> Self?
}

extension PersistentValue {
    /// Whether the property may have no value.
    public static var isOptional: Bool { false }
    public var foundationValue: Any? { self }
    public static func value(of foundationValue: Any?) -> Self? { foundationValue as? Self }
}

extension Optional: PersistentValue where Wrapped: PersistentValue {
    public static var attributeType: NSAttributeDescription.AttributeType { Wrapped.attributeType }
    /// Whether the property may have no value.
    @inlinable public static var emptyValue: Wrapped? { nil }
    public static var isOptional: Bool { true }
    @inlinable public static func read(_ record: NSManagedObject, _ number: Int) -> Wrapped? {
        Wrapped.readOptional(record, number)
    }
    @inlinable public static func write(_ value: Wrapped?, _ record: NSManagedObject, _ number: Int) {
        Wrapped.writeOptional(value, record, number)
    }
    public static func readOptional(_ record: NSManagedObject, _ number: Int) -> Wrapped?? {
        .some(Wrapped.readOptional(record, number))
    }
    public static func writeOptional(_ value: Wrapped??, _ record: NSManagedObject, _ number: Int) {
        Wrapped.writeOptional(value ?? nil, record, number)
    }
    public var foundationValue: Any? { self?.foundationValue }
    public static func value(of foundationValue: Any?) -> Wrapped?? { .some(Wrapped.value(of: foundationValue)) }
}
