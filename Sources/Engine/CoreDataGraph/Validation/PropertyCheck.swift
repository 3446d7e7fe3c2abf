import CoreDataStore

/// The checks of one property of an entity: the model's rules, then the class's own rule.
///
/// Made once for each entity, so that checking an object looks up nothing by name.
struct PropertyCheck {
    typealias OwnRule = @Sendable (NSManagedObject, inout Any?) throws -> Void

    /// The slot or number of the property, and the model's rules for it.
    enum Subject {
        case attribute(NSAttributeDescription, AttributeKind, slot: Int, limits: [ValueLimit])
        case toOne(NSRelationshipDescription, slot: Int)
        case toMany(NSRelationshipDescription, number: Int)
        /// A composite attribute, whose elements have rules of their own.
        case composite(CompositeCheck, slot: Int)
        /// A property that only the class's property table has.
        case unmodelled
    }

    let key: String
    let subject: Subject
    let ownRule: OwnRule?
    /// The class's own getter, if it has one.
    let get: (@Sendable (NSManagedObject) -> Any?)?
    /// Whether a value that the class's own rule returns can be set.
    let isSettable: Bool

    /// Makes the checks of a property; nil for a name that neither the entity nor its class has.
    init?(key: String, entity: NSEntityDescription, places: [String: EntityLayout.Place], _ table: PropertyTable) {
        let own = table.property(named: key)
        switch places[key] {
        case .attribute(let slot):
            guard let attribute = entity.attributesByName[key] else { return nil }
            let kind = AttributeKind(attribute)
            if kind == .composite {
                subject = .composite(CompositeCheck(attribute), slot: slot)
                break
            }
            let limits = attribute.validationRules.map { ValueLimit($0, kind) }
            subject = .attribute(attribute, kind, slot: slot, limits: limits)
        case .toOne(let slot):
            guard let relationship = entity.relationshipsByName[key] else { return nil }
            subject = .toOne(relationship, slot: slot)
        case .toMany(let number):
            guard let relationship = entity.relationshipsByName[key] else { return nil }
            subject = .toMany(relationship, number: number)
        case .fetched, nil:
            guard own != nil else { return nil }
            subject = .unmodelled
        }
        self.key = key
        ownRule = own?.validate
        get = own?.get
        isSettable = own?.get == nil || own?.set != nil
    }

    /// Whether a value of the property can break a rule.
    var isNeeded: Bool {
        if ownRule != nil { return true }
        switch subject {
        case .attribute(let attribute, let kind, _, let limits):
            return !attribute.isOptional && !(attribute is NSDerivedAttributeDescription) || kind == .date
                || !limits.isEmpty
        case .toOne(let relationship, _): return !relationship.isOptional
        case .toMany(let relationship, _): return relationship.limitsCount
        case .composite: return true
        case .unmodelled: return false
        }
    }

    /// Whether the property is checked when a changed object is validated: if its value is known without a query, or
    /// its number of members has a limit. A property that only the class has is checked only in new objects.
    func isOpen(in object: NSManagedObject) -> Bool {
        switch subject {
        case .attribute, .composite, .toOne: return true
        case .toMany(let relationship, _): return relationship.limitsCount || isKnown(in: object)
        case .unmodelled: return object.isInserted
        }
    }

    /// Whether the value is known: false for a to-many relationship of a saved object that was not read or changed.
    func isKnown(in object: NSManagedObject) -> Bool {
        guard case .toMany(_, let number) = subject, !object.isInserted, object.isInStore else { return true }
        return object.toManyLinks(number).map { $0.isLoaded || $0.hasChanges } ?? false
    }
}

extension NSManagedObject {
    /// Whether the object has a record that its context can read.
    fileprivate var isInStore: Bool { registry?.context?.dataSource.knows(self) == true }
}

extension NSRelationshipDescription {
    /// Whether the model limits the number of members.
    var limitsCount: Bool { minCount > (isOptional ? 1 : 0) || maxCount > 0 }
}
