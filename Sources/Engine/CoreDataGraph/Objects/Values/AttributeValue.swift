import CoreDataStore

/// A Swift type of an attribute's accessor.
public protocol AttributeValue {
    /// Reads a slot of an object; null reads as the type's zero, or as nil of an optional type.
    static func read(_ object: NSManagedObject, slot: Int) -> Self
    /// Writes a slot of an object.
    static func write(_ value: Self, _ object: NSManagedObject, slot: Int)
}

extension NSManagedObject {
    /// Returns the value of the attribute with the given number in the class's property table.
    ///
    /// Stops if the object's entity lacks the attribute.
    @inlinable public func attribute<Value: AttributeValue>(_ number: Int) -> Value {
        Value.read(self, slot: slot(number))
    }

    /// Sets the attribute with the given number in the class's property table.
    @inlinable public func setAttribute<Value: AttributeValue>(_ number: Int, _ value: Value) {
        Value.write(value, self, slot: slot(number))
    }

    /// Returns the value of the attribute with the given number, whose type is a class of the program; nil for null and
    /// for a value of another type.
    ///
    /// Stops if the object's entity lacks the attribute.
    public func attributeObject<Value>(_ number: Int) -> Value? { attributeValue(slot(number)) as? Value }

    /// Sets the attribute with the given number to an instance of a class of the program; nil makes it null.
    public func setAttributeObject<Value>(_ number: Int, _ value: Value?) { setAttributeValue(value, slot(number)) }

    /// Returns the slot of the property with a number in the class's property table, or the number of a to-many
    /// relationship; stops if the entity lacks the property.
    @usableFromInline func slot(_ number: Int) -> Int {
        // Every initializer sets the scope.
        let slots = scope.unsafelyUnwrapped.tableSlots
        guard number < slots.count else { stopForMissingProperty(number) }
        let slot = slots[number]
        guard slot >= 0 else { stopForMissingProperty(number) }
        return Int(slot)
    }

    private func stopForMissingProperty(_ number: Int) -> Never {
        let keys = layout.table.keys
        let name = number < keys.count ? keys[number] : "number \(number)"
        stop("Entity '\(entity.name ?? "")' has no property \(name), which class \(type(of: self)) declares.")
    }
}

extension AttributeValue where Self: FixedWidthInteger {
    /// Reads the slot; null reads as zero, false or nil.
    @inlinable public static func read(_ object: NSManagedObject, slot: Int) -> Self {
        Self(truncatingIfNeeded: object.integerValue(slot) ?? 0)
    }
    /// Writes the slot.
    @inlinable public static func write(_ value: Self, _ object: NSManagedObject, slot: Int) {
        object.setIntegerValue(Int64(value), slot)
    }
}

extension Int: AttributeValue {}
extension Int16: AttributeValue {}
extension Int32: AttributeValue {}
extension Int64: AttributeValue {}

extension Bool: AttributeValue {
    /// Reads the slot; null reads as zero, false or nil.
    @inlinable public static func read(_ object: NSManagedObject, slot: Int) -> Bool {
        (object.integerValue(slot) ?? 0) != 0
    }
    /// Writes the slot.
    @inlinable public static func write(_ value: Bool, _ object: NSManagedObject, slot: Int) {
        object.setIntegerValue(value ? 1 : 0, slot)
    }
}

extension Double: AttributeValue {
    /// Reads the slot; null reads as zero, false or nil.
    @inlinable public static func read(_ object: NSManagedObject, slot: Int) -> Double { object.realValue(slot) ?? 0 }
    /// Writes the slot.
    @inlinable public static func write(_ value: Double, _ object: NSManagedObject, slot: Int) {
        object.setRealValue(value, slot)
    }
}

extension Float: AttributeValue {
    /// Reads the slot; null reads as zero, false or nil.
    @inlinable public static func read(_ object: NSManagedObject, slot: Int) -> Float {
        Float(object.realValue(slot) ?? 0)
    }
    /// Writes the slot.
    @inlinable public static func write(_ value: Float, _ object: NSManagedObject, slot: Int) {
        object.setRealValue(Double(value), slot)
    }
}

extension Optional: AttributeValue where Wrapped: OptionalAttributeValue {
    /// Reads the slot; null reads as zero, false or nil.
    @inlinable public static func read(_ object: NSManagedObject, slot: Int) -> Wrapped? {
        Wrapped.readOptional(object, slot: slot)
    }
    /// Writes the slot.
    @inlinable public static func write(_ value: Wrapped?, _ object: NSManagedObject, slot: Int) {
        Wrapped.writeOptional(value, object, slot: slot)
    }
}

/// A Swift type whose optional an attribute's accessor can have.
public protocol OptionalAttributeValue {
    static func readOptional(_ object: NSManagedObject, slot: Int) -> Self?
    static func writeOptional(_ value: Self?, _ object: NSManagedObject, slot: Int)
}

extension OptionalAttributeValue {
    /// Reads the slot; nil for null and for a value of another type.
    @inlinable public static func readOptional(_ object: NSManagedObject, slot: Int) -> Self? {
        object.attributeValue(slot) as? Self
    }
    /// Writes the slot; nil makes it null.
    @inlinable public static func writeOptional(_ value: Self?, _ object: NSManagedObject, slot: Int) {
        object.setAttributeValue(value, slot)
    }
}

extension String: OptionalAttributeValue {
    /// Reads the slot; nil for null and for a value of another type.
    @inlinable public static func readOptional(_ object: NSManagedObject, slot: Int) -> String? {
        object.textValue(slot)
    }
    /// Writes the slot; nil makes it null.
    @inlinable public static func writeOptional(_ value: String?, _ object: NSManagedObject, slot: Int) {
        object.setTextValue(value, slot)
    }
}

extension Date: OptionalAttributeValue {
    /// Reads the slot; nil for null and for a value of another type.
    @inlinable public static func readOptional(_ object: NSManagedObject, slot: Int) -> Date? {
        object.realValue(slot).map { Date(timeIntervalSinceReferenceDate: $0) }
    }
    /// Writes the slot; nil makes it null.
    @inlinable public static func writeOptional(_ value: Date?, _ object: NSManagedObject, slot: Int) {
        object.setRealValue(value?.timeIntervalSinceReferenceDate, slot)
    }
}

extension Data: OptionalAttributeValue {}
extension UUID: OptionalAttributeValue {}
extension URL: OptionalAttributeValue {}
extension NSNumber: OptionalAttributeValue {}
extension Decimal: OptionalAttributeValue {}
extension NSManagedObjectID: OptionalAttributeValue {}
extension Dictionary: OptionalAttributeValue where Key == String, Value == Any {}
