import CoreDataStore

/// The properties of an object by name and with types, for objects whose entity does not have a custom class.
///
/// `let name: String? = person.keyedValues.firstName` reads what `person.value(forKey: "firstName")` does, with the type that
/// the context requires. An extension can declare such a property by name:
///
/// ```swift
/// extension NSManagedObject {
///     var firstName: String? {
///         get { keyedValues.firstName }
///         set { keyedValues.firstName = newValue }
///     }
/// }
/// ```
///
/// Stops for a key that the object does not have.
@dynamicMemberLookup
public struct KeyedValues {
    private let object: NSManagedObject

    init(of object: NSManagedObject) { self.object = object }

    /// An attribute; if the value is null, the type's zero, or nil for an optional type.
    public subscript<Value: AttributeValue>(dynamicMember key: String) -> Value {
        get {
            if object.hasOwnAccessor(key) || object.layout.places[key] == nil {
                if let value = object.value(forKey: key) as? Value { return value }
            }
            return Value.read(object, slot: object.slot(ofAttribute: key))
        }
        nonmutating set {
            guard object.hasOwnAccessor(key) || object.layout.places[key] == nil else {
                return Value.write(newValue, object, slot: object.slot(ofAttribute: key))
            }
            object.setValue(flattened(newValue), forKey: key)
        }
    }

    /// The target of a to-one relationship.
    public subscript<Target: NSManagedObject>(dynamicMember key: String) -> Target? {
        get { object.value(forKey: key) as? Target }
        nonmutating set { object.setValue(newValue, forKey: key) }
    }

    /// The members of a to-many relationship.
    public subscript<Target: NSManagedObject>(dynamicMember key: String) -> Set<Target> {
        get { Set(members(key).lazy.compactMap { $0 as? Target }) }
        nonmutating set { object.setValue(Array(newValue), forKey: key) }
    }

    /// The members of a to-many relationship in their order, which is undefined unless the relationship is ordered.
    public subscript<Target: NSManagedObject>(dynamicMember key: String) -> [Target] {
        get { members(key).compactMap { $0 as? Target } }
        nonmutating set { object.setValue(newValue, forKey: key) }
    }

    private func members(_ key: String) -> [Any] {
        let value = object.value(forKey: key)
        return (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? []
    }
}

extension NSManagedObject {
    /// The properties by name, with the types that the places where they are used ask for.
    public var keyedValues: KeyedValues { KeyedValues(of: self) }

    /// Whether the class has an accessor of its own for a key.
    fileprivate func hasOwnAccessor(_ key: String) -> Bool {
        layout.table.property(named: key)?.get != nil
    }

    /// The slot of an attribute; stops if the key is not an attribute.
    fileprivate func slot(ofAttribute key: String) -> Int {
        guard case .attribute(let slot) = layout.places[key] else {
            if layout.places[key] == nil { stopForUndefinedKey(key) }
            stop("'\(key)' of entity '\(entity.name ?? "")' is no attribute.")
        }
        return slot
    }
}
