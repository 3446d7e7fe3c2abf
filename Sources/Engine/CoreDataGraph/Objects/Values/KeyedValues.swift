import CoreDataStore

/// Typed access to the properties of an object by name, for objects whose entity does not have a custom class.
///
/// `let name: String? = person.keyedValues.firstName` reads the value of `person.value(forKey: "firstName")`, with the
/// type that the statement requires. An extension can declare such a property by name:
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

    /// An attribute; null reads as the type's zero, or as nil of an optional type.
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

    /// The members of a to-many relationship as an array, in their order if the relationship is ordered.
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
    /// The properties by name, with the types that their uses require.
    public var keyedValues: KeyedValues { KeyedValues(of: self) }

    /// Whether the property table has an accessor of the class for a key.
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
