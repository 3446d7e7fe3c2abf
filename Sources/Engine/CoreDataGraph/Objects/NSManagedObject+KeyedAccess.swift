import CoreDataStore

extension NSManagedObject {
    /// Returns the stored value of a property without calling the class's accessors; custom getters read it.
    ///
    /// The value of an attribute is of Foundation's type, that of a to-one relationship an object, that of a to-many
    /// relationship an `NSSet` or `NSOrderedSet`.
    public func primitiveValue(forKey key: String) -> Any? {
        switch layout.places[key] {
        case .attribute(let slot): return attributeValue(slot)
        case .toOne(let slot): return relatedObject(slot)
        case .toMany(let number): return collection(relatedObjects(number), number)
        case .fetched(let property): return operations.fetchedValue(of: property)
        case nil: return value(forUndefinedKey: key)
        }
    }

    /// Sets the stored value of a property without calling the class's accessors; custom setters write it.
    ///
    /// Setting an attribute does not notify observers or mark the object as changed; the value is written when the
    /// object is next saved because of another change. Setting a relationship updates its inverse. Stops for a value
    /// that the property cannot have.
    public func setPrimitiveValue(_ value: Any?, forKey key: String) {
        guard case .attribute(let slot) = layout.places[key] else { return setStoredValue(value, key) }
        setPrimitiveAttributeValue(value, slot)
    }

    /// Sets the stored value of a property, notifies observers, marks the object as changed, and updates inverses.
    private func setStoredValue(_ value: Any?, _ key: String) {
        switch layout.places[key] {
        case .attribute(let slot): setAttributeValue(value, slot)
        case .toOne(let slot): relate(slot, to: expectObject(value, key))
        case .toMany(let number): setRelated(expectObjects(value, key), number)
        case .fetched: stop(.readOnly, key: key, reason: "is a fetched property and cannot be set.")
        case nil: setValue(value, forUndefinedKey: key)
        }
    }

    /// Sets a property like `setValue(_:forKey:)`, but throws an error where that method stops, and for a number
    /// outside the attribute's range.
    ///
    /// - Throws: `UnknownKeyError`, or a `ValueRejection` for a key that cannot be set or an unacceptable value.
    public func setCodedValue(_ value: Any?, forKey key: String) throws {
        try requireSettable(value, key)
        setValue(value, forKey: key)
    }

    /// Throws the errors of `setCodedValue(_:forKey:)`, and sets nothing.
    package func requireSettable(_ value: Any?, _ key: String) throws {
        switch layout.places[key] {
        case .attribute(let slot):
            guard case .attribute(let attribute, let kind) = layout.slots[slot].content else { break }
            if attribute is NSDerivedAttributeDescription {
                throw ValueRejection.derived(attribute)
            }
            _ = try SlotCoding.accept(value, for: attribute, kind)
        case .toOne:
            guard value == nil || value is NSNull || value is NSManagedObject else {
                throw unacceptable(value, kind: "to-one", key: key)
            }
            try checkTargets(checkedObjects(value is NSNull ? nil : value, key), key)
        case .toMany: try checkTargets(checkedObjects(value, key), key)
        case .fetched: throw error(.readOnly, key: key, reason: "is a fetched property and cannot be set.")
        case nil:
            guard let property = layout.table.property(named: key) else { throw undefined(key) }
            guard property.set != nil else { throw error(.readOnly, key: key, reason: "is read-only.") }
        }
        try layout.table.property(named: key)?.check?(self, value)
    }

    /// Reads a property like `value(forKey:)`, but throws for an unknown key.
    ///
    /// - Throws: `UnknownKeyError` with the nearest key that the entity has; an error of code
    ///   `NSManagedObjectReferentialIntegrityError` for an object that was deleted and saved, or whose context was
    ///   reset.
    public func codedValue(forKey key: String) throws -> Any? {
        let isKnown = layout.places[key] != nil || layout.table.property(named: key)?.get != nil
        if !isKnown, let name = SubentityStep.entityName(in: key) {
            return SubentityStep.isKind(entity, of: name) ? self : nil
        }
        guard isKnown || Self.ownKeys.contains(key) else { throw undefined(key) }
        if isKnown, let error = unusableReason { throw error }
        return value(forKey: key)
    }

    /// Implements `committedValues(forKeys:)`.
    func committed(_ keys: [String]?) -> [String: Any] {
        if flags.contains(.guarded) { checkQueue("committedValues(forKeys:)") }
        guard !isInserted else { return [:] }
        fireFaultIfNeeded()
        var values: [String: Any] = [:]
        for key in keys ?? Array(layout.places.keys) {
            if let value = committedValue(key, isRequested: keys != nil) { values[key] = value }
        }
        return values
    }

    /// Implements `changedValues()`.
    var changed: [String: Any] {
        if flags.contains(.guarded) { checkQueue("changedValues()") }
        guard let working else { return [:] }
        var values: [String: Any] = [:]
        for (key, place) in layout.places {
            switch place {
            case .attribute(let slot), .toOne(let slot):
                if !working.isChanged(slot) || isEqualToCommitted(slot) { continue }
            case .toMany(let number): if toManyLinks(number)?.hasChanges != true { continue }
            case .fetched: continue
            }
            values[key] = primitiveValue(forKey: key) ?? NSNull()
        }
        return values
    }

    /// The names of the object's properties.
    public var codedKeys: [String] { Array(layout.places.keys) }

    // MARK: What the open methods do

    func keyedValue(_ key: String) -> Any? {
        if let get = layout.table.property(named: key)?.get { return get(self) }
        if layout.places[key] == nil, Self.ownKeys.contains(key) { return ownValue(key) }
        return primitiveValue(forKey: key)
    }

    func setKeyedValue(_ value: Any?, _ key: String) {
        guard let property = layout.table.property(named: key), property.get != nil else {
            return setStoredValue(value, key)
        }
        if let set = property.set { return set(self, value) }
        // If a class has only a getter for a property of the model, setting by key sets the stored value, as in Core
        // Data.
        guard layout.places[key] != nil else { stop(.readOnly, key: key, reason: "is read-only.") }
        setStoredValue(value, key)
    }

    func stopForUndefinedKey(_ key: String) -> Never {
        CoreDataFoundation.stop(undefined(key).description)
    }

    /// Returns the members of a relationship as an immutable `NSSet`, or `NSOrderedSet` if it is ordered.
    private func collection(_ members: [NSManagedObject], _ number: Int) -> NSObject {
        layout.toMany[number].isOrdered ? NSOrderedSet(array: members) : NSSet.of(members)
    }

    private func committedValue(_ key: String, isRequested: Bool) -> Any? {
        switch layout.places[key] {
        case .attribute(let slot):
            guard case .attribute(let attribute, let kind) = layout.slots[slot].content, let slab,
                slot < layout.storedCount
            else { return nil }
            return SlotCoding.decode(
                slab, index: Int(rowIndex), slot: slot, kind: kind, attribute: attribute, owner: self) ?? NSNull()
        case .toOne(let slot):
            guard let slab, let context = registry?.context else { return nil }
            return context.object(forReferenceIn: slab, row: Int(rowIndex), slot: slot) ?? NSNull()
        case .toMany(let number):
            let known = toManyLinks(number)?.committed
            guard let members = known ?? (isRequested ? storedMembers(number) : nil) else { return nil }
            return collection(members, number)
        default: return nil
        }
    }

    private static let ownKeys: Set<String> = [
        "self", "objectID", "entity", "managedObjectContext", "isInserted", "isUpdated", "isDeleted", "isFault",
        "hasChanges",
    ]

    private func ownValue(_ key: String) -> Any? {
        switch key {
        case "self": self
        case "objectID": objectID
        case "entity": entity
        case "managedObjectContext": managedObjectContext
        case "isInserted": isInserted
        case "isUpdated": isUpdated
        case "isDeleted": isDeleted
        case "isFault": isFault
        default: hasChanges
        }
    }

    private func expectObject(_ value: Any?, _ key: String) -> NSManagedObject? {
        if let object = value as? NSManagedObject { return object }
        guard value == nil || value is NSNull else {
            CoreDataFoundation.stop(unacceptable(value, kind: "to-one", key: key).description)
        }
        return nil
    }

    private func expectObjects(_ value: Any?, _ key: String) -> [NSManagedObject] {
        orStop { try checkedObjects(value, key) }
    }

    /// The objects of a set, ordered set, array or single object.
    private func checkedObjects(_ value: Any?, _ key: String) throws -> [NSManagedObject] {
        let objects: [Any]
        switch value {
        case nil: return []
        case let object as NSManagedObject: return [object]
        case let set as NSOrderedSet: objects = set.array
        case let set as NSSet: objects = set.allObjects
        case let array as [Any]: objects = array
        default: throw unacceptable(value, kind: "to-many", key: key)
        }
        return try objects.map { object in
            guard let object = object as? NSManagedObject else {
                throw unacceptable(object, kind: "to-many", key: key)
            }
            return object
        }
    }

    /// Throws an error for an object that cannot be at the other end of the relationship.
    private func checkTargets(_ targets: [NSManagedObject], _ key: String) throws {
        guard let relationship = layout.entity.relationshipsByName[key] else { return }
        for target in targets {
            if let reason = refusal(of: target, relationship) {
                throw ValueRejection(.unacceptableType, entity: entity.name ?? "", key: key, reason)
            }
        }
    }

    private func undefined(_ key: String) -> UnknownKeyError {
        UnknownKeyError(key: key, owner: "the entity \(entity.name ?? "")", knownKeys: codedKeys)
    }

    /// Returns the error for a relationship's value that is not an object, or not a collection of objects.
    private func unacceptable(_ value: Any?, kind: String, key: String) -> ValueRejection {
        let wanted = layout.entity.relationshipsByName[key]?.destinationEntity?.name ?? "?"
        return ValueRejection(
            .unacceptableType, entity: entity.name ?? "", key: key,
            "Unacceptable type of value for \(kind) relationship: property = \"\(key)\"; desired type = \(wanted); given "
                + "type = \(value.map { "\(type(of: $0))" } ?? "nil"); entity = \(entity.name ?? "?").")
    }

    private func error(_ code: ValueRejection.Code, key: String, reason: String) -> ValueRejection {
        ValueRejection(code, entity: entity.name ?? "", key: key, "'\(key)' of entity '\(entity.name ?? "")' \(reason)")
    }

    private func stop(_ code: ValueRejection.Code, key: String, reason: String) -> Never {
        CoreDataFoundation.stop(error(code, key: key, reason: reason).description)
    }
}

extension NSManagedObject: AttributeHolder {
    package func isAttribute(_ key: String) -> Bool {
        if case .attribute? = layout.places[key] { true } else { false }
    }
}
