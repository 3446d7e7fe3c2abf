import CoreDataStore

/// The functions that the accessors of `@NSManaged` properties call with the property's number in the class's property
/// table. By the property's type the compiler selects the overload that reads or writes it.
///
/// All stop if the object's entity lacks the property. A property of any other type is read and written by key; if the
/// value is of another type, reading stops, or returns nil if the property's type is optional.
extension NSManagedObject {
    // MARK: Attributes

    /// Reads an attribute of a type that conforms to `AttributeValue`.
    @inlinable public func managedValue<Value: AttributeValue>(_ number: Int) -> Value { attribute(number) }

    /// Sets an attribute of a type that conforms to `AttributeValue`.
    @inlinable public func setManagedValue<Value: AttributeValue>(_ number: Int, _ value: Value) {
        setAttribute(number, value)
    }

    /// Reads an attribute that is not optional in Swift; null reads as the type's empty value, as on Apple's platforms.
    public func managedValue<Value: EmptyAttributeValue>(_ number: Int) -> Value {
        attribute(number) ?? Value.emptyAttributeValue
    }

    /// Sets an attribute that is not optional in Swift.
    public func setManagedValue<Value: EmptyAttributeValue>(_ number: Int, _ value: Value) {
        setAttribute(number, Optional(value))
    }

    /// Reads an attribute with the raw value of an enumeration; stops if no case has the raw value.
    public func managedValue<Value: RawRepresentable>(_ number: Int) -> Value where Value.RawValue: AttributeValue {
        expectCase(Value(rawValue: attribute(number)), number)
    }

    /// Sets an attribute, by its number in the property table, to the raw value of an enumeration's case.
    public func setManagedValue<Value: RawRepresentable>(_ number: Int, _ value: Value)
    where Value.RawValue: AttributeValue {
        setAttribute(number, value.rawValue)
    }

    /// Reads an attribute with the string raw value of an enumeration; stops if no case has the raw value.
    public func managedValue<Value: RawRepresentable>(_ number: Int) -> Value
    where Value.RawValue: EmptyAttributeValue {
        expectCase(Value(rawValue: managedValue(number)), number)
    }

    /// Sets an attribute with the string raw value of an enumeration.
    public func setManagedValue<Value: RawRepresentable>(_ number: Int, _ value: Value)
    where Value.RawValue: EmptyAttributeValue {
        setManagedValue(number, value.rawValue)
    }

    /// Reads an attribute with the raw value of an enumeration; nil for null and for a raw value that no case has.
    public func managedValue<Value: RawRepresentable>(_ number: Int) -> Value? {
        (keyedValue(managedKey(number)) as? Value.RawValue).flatMap(Value.init(rawValue:))
    }

    /// Sets an attribute with the raw value of an enumeration; nil makes it null.
    public func setManagedValue<Value: RawRepresentable>(_ number: Int, _ value: Value?) {
        setKeyedValue(value?.rawValue, managedKey(number))
    }

    // MARK: Relationships

    /// A to-one relationship.
    @inlinable public func managedValue<Target: NSManagedObject>(_ number: Int) -> Target? { toOne(number) }

    /// Sets a to-one relationship.
    public func setManagedValue<Target: NSManagedObject>(_ number: Int, _ target: Target?) { setToOne(number, target) }

    /// A to-one relationship that is not optional in Swift; stops if it is nil.
    public func managedValue<Target: NSManagedObject>(_ number: Int) -> Target {
        guard let target: Target = toOne(number) else { stopForMissingValue(number, Target.self) }
        return target
    }

    /// Sets a to-one relationship that is not optional in Swift.
    public func setManagedValue<Target: NSManagedObject>(_ number: Int, _ target: Target) { setToOne(number, target) }

    /// A to-many relationship; without members an empty set, never nil.
    public func managedValue<Target: NSManagedObject>(_ number: Int) -> Set<Target>? { toMany(number) as Set<Target> }

    /// Sets a to-many relationship; nil removes all members.
    public func setManagedValue<Target: NSManagedObject>(_ number: Int, _ targets: Set<Target>?) {
        setToMany(number, targets)
    }

    /// A to-many relationship.
    public func managedValue<Target: NSManagedObject>(_ number: Int) -> Set<Target> { toMany(number) }

    /// Sets a to-many relationship.
    public func setManagedValue<Target: NSManagedObject>(_ number: Int, _ targets: Set<Target>) {
        setToMany(number, targets)
    }

    // MARK: Anything else

    /// A property of any type, read by key. For a value of another type, stops, or returns nil if optional.
    @_disfavoredOverload public func managedValue<Value>(_ number: Int) -> Value {
        if let value = (keyedValue(managedKey(number)) as Any) as? Value { return value }
        if let type = Value.self as? any ExpressibleByNilLiteral.Type, let none = type.init(nilLiteral: ()) as? Value {
            return none
        }
        stopForMissingValue(number, Value.self)
    }

    /// Sets a property of any type by key.
    @_disfavoredOverload public func setManagedValue<Value>(_ number: Int, _ value: Value) {
        setKeyedValue(flattened(value), managedKey(number))
    }

    /// The primitive value of a property with a type, for accessors such as `primitiveName`; stops for another type.
    public func primitiveManagedValue<Value>(_ key: String) -> Value {
        if let value = (primitiveValue(forKey: key) as Any) as? Value { return value }
        stop("Property '\(key)' of entity '\(entity.name ?? "")' has no primitive value of type \(Value.self).")
    }

    // MARK: Numbers

    private func managedKey(_ number: Int) -> String {
        // Stops if the entity lacks the property.
        let keys = layout.table.keys
        guard number < keys.count, layout.places[keys[number]] != nil else {
            _ = slot(number)
            return ""
        }
        return keys[number]
    }

    private func expectCase<Value>(_ value: Value?, _ number: Int) -> Value {
        guard let value else { stopForMissingValue(number, Value.self) }
        return value
    }

    private func stopForMissingValue(_ number: Int, _ type: Any.Type) -> Never {
        stop(
            "Property '\(managedKey(number))' of entity '\(entity.name ?? "")' has no value of type \(type), which its "
                + "@NSManaged property wants: declare the property optional.")
    }
}

/// A Swift type of attributes that need not be optional in Swift: null reads as an empty value.
public protocol EmptyAttributeValue: OptionalAttributeValue {
    /// The value that null reads as.
    static var emptyAttributeValue: Self { get }
}

extension String: EmptyAttributeValue {
    /// The empty text.
    public static var emptyAttributeValue: String { "" }
}

extension Data: EmptyAttributeValue {
    /// No bytes.
    public static var emptyAttributeValue: Data { Data() }
}

extension Date: EmptyAttributeValue {
    /// The reference date.
    public static var emptyAttributeValue: Date { Date(timeIntervalSinceReferenceDate: 0) }
}

extension Decimal: EmptyAttributeValue {
    /// Zero.
    public static var emptyAttributeValue: Decimal { 0 }
}
