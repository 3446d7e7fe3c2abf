import CoreData

/// Applies edits to properties of managed objects, for commands, imports and the browser's pages alike.
///
/// The model checks the key, the type of the property determines how the value is parsed, and `targets` resolves the
/// names of objects. An equal value is not set, since Core Data would count it as a change and write the row. Used on
/// the queue of the objects' context.
package struct PropertyEditor {
    /// The change that an edit requires, not yet applied.
    package struct Change {
        package let key: String
        let value: Any?
        fileprivate let former: Former
    }

    /// The former value of a property.
    fileprivate enum Former {
        case reading(PropertyReading)
        case members([NSManagedObject], of: NSRelationshipDescription)
    }

    let store: NSPersistentStore
    let reader: PropertyReader
    let targets: any EditTargets
    private let numbers: KeptNumber.Demand

    /// - Parameter numbers: Determines which numbers are refused because the store would change them.
    package init(
        _ store: NSPersistentStore, reader: PropertyReader, targets: any EditTargets, numbers: KeptNumber.Demand
    ) {
        self.store = store
        self.reader = reader
        self.targets = targets
        self.numbers = numbers
    }

    // MARK: Applying

    /// Applies an edit to the property of a key; returns false if the property has the value already.
    ///
    /// - Throws: `InspectionError` of code `unknownKey` or `badValue`, and errors of `targets`; nothing is changed
    ///   then.
    @discardableResult
    package func apply(_ edit: Edit, to key: String, of object: NSManagedObject) throws -> Bool {
        let property = try SettableProperty.named(key, of: object.entity)
        return make(try change(edit, of: property, in: object), in: object)
    }

    /// Sets an attribute; returns false if it has the value already. For a new object, the present value is not
    /// compared.
    ///
    /// - Throws: `InspectionError` of code `badValue`.
    @discardableResult
    package func set(
        _ value: EditValue, _ attribute: NSAttributeDescription, of object: NSManagedObject, isNew: Bool
    ) throws -> Bool {
        make(try change(value, of: attribute, in: object, isNew: isNew), in: object)
    }

    /// Sets the objects of a relationship, at most one of a to-one relationship; returns false if it has them already.
    ///
    /// - Throws: `InspectionError` of code `badValue` for an object that cannot be in the relationship.
    @discardableResult
    package func lead(
        _ relationship: NSRelationshipDescription, of object: NSManagedObject, to targets: [NSManagedObject]
    ) throws -> Bool {
        for target in targets { try Self.requireTarget(target.entity, of: relationship) }
        return make(try change(relationship, in: object, to: targets), in: object)
    }

    private func make(_ change: Change?, in object: NSManagedObject) -> Bool {
        change.map { make($0, in: object) } != nil
    }

    /// Makes a change that an edit requires.
    package func make(_ change: Change, in object: NSManagedObject) {
        object.setValue(change.value, forKey: change.key)
    }

    // MARK: Comparing

    /// The change that an edit requires; nil if the property has the value already.
    package func change(
        _ edit: Edit, of property: NSPropertyDescription, in object: NSManagedObject
    ) throws -> Change? {
        switch (property, edit) {
        case (let attribute as NSAttributeDescription, .set(let value)):
            return try change(value, of: attribute, in: object, isNew: false)
        case (let relationship as NSRelationshipDescription, .set(let value)):
            return try change(relationship, in: object, to: objects(value, relationship))
        case (let relationship as NSRelationshipDescription, _) where relationship.isToMany:
            var members = Self.members(try object.codedValue(forKey: relationship.name))
            try apply(edit, to: &members, relationship)
            return try change(relationship, in: object, to: members)
        default:
            throw InspectionError(
                .badValue, subject: property.name, cause: "only a to-many relationship has members")
        }
    }

    private func change(
        _ given: EditValue, of attribute: NSAttributeDescription, in object: NSManagedObject, isNew: Bool
    ) throws -> Change? {
        let before = isNew ? nil : reader.read(attribute, of: object)
        let value = try value(given, of: attribute, before: before)
        if let before, before.isSame(as: PropertyReading(value, of: attribute)) { return nil }
        try KeptNumber.require(numbers, of: value, attribute, in: store)
        return try change(attribute, in: object, value: value, former: .reading(before ?? .null))
    }

    private func value(
        _ given: EditValue, of attribute: NSAttributeDescription, before: PropertyReading?
    ) throws -> Any? {
        guard case .elements(let elements) = given else { return try given.value(for: attribute) }
        switch before {
        case .value(let present, _):
            return try EditValue.dictionary(elements, of: attribute, over: present as? [String: Any] ?? [:])
        case .unreadable(let reason):
            throw InspectionError(
                .badValue, subject: attribute.name, cause: reason, hint: "set the composite as a whole")
        default: return try EditValue.dictionary(elements, of: attribute)
        }
    }

    /// The change that sets a relationship to objects; nil if it has them already.
    private func change(
        _ relationship: NSRelationshipDescription, in object: NSManagedObject, to targets: [NSManagedObject]
    ) throws -> Change? {
        let present = try object.codedValue(forKey: relationship.name)
        guard relationship.isToMany else {
            guard (present as? NSManagedObject) !== targets.first else { return nil }
            return try change(
                relationship, in: object, value: targets.first, former: .reading(.init(present, of: relationship)))
        }
        let former = Self.members(present)
        var known: Set<NSManagedObject> = []
        let members = targets.filter { known.insert($0).inserted }
        guard relationship.isOrdered ? members != former : known != Set(former) else { return nil }
        let value: Any = relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
        return try change(
            relationship, in: object, value: value, former: .members(former, of: relationship))
    }

    private func change(
        _ property: NSPropertyDescription, in object: NSManagedObject, value: Any?, former: Former
    ) throws -> Change {
        do {
            try object.requireSettable(value, property.name)
        } catch {
            throw InspectionError(.badValue, subject: property.name, cause: ErrorText.line(for: error))
        }
        return Change(key: property.name, value: value, former: former)
    }
}

extension PropertyEditor.Change {
    /// The property's former value.
    package var before: PropertyReading {
        switch former {
        case .reading(let reading): reading
        case .members(let members, let relationship):
            PropertyReading(
                relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members), of: relationship)
        }
    }
}
