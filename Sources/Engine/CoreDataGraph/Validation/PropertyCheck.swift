import CoreDataStore

/// What is to be checked of one property of an entity: the model's rules, then the class's own.
///
/// Made once an entity, so that checking an object looks up nothing by name.
struct PropertyCheck {
    typealias OwnRule = @Sendable (NSManagedObject, inout Any?) throws -> Void

    /// The place of the value, and the model's rules for it.
    enum Subject {
        case attribute(NSAttributeDescription, AttributeKind, slot: Int, limits: [ValueLimit])
        case toOne(NSRelationshipDescription, slot: Int)
        case toMany(NSRelationshipDescription, number: Int)
        /// A composite attribute, whose elements have rules of their own.
        case composite(CompositeCheck, slot: Int)
        /// A property that only the class's table knows.
        case unmodelled
    }

    let key: String
    let subject: Subject
    let ownRule: OwnRule?
    /// The accessor of the class's own, where it has one.
    let get: (@Sendable (NSManagedObject) -> Any?)?
    /// Whether a value that the class's own rule corrects can be set.
    let isSettable: Bool

    /// The checks of a property by its name; nil for a name that neither the entity nor its class has.
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

    /// Whether some value of the property could break a rule.
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

    /// Whether the property is to be checked when the object is validated: every one that is known without a question to
    /// the store, and of the others those whose number of members has a limit.
    func isOpen(in object: NSManagedObject) -> Bool {
        switch subject {
        case .attribute, .composite, .toOne: return true
        case .toMany(let relationship, _): return relationship.limitsCount || isKnown(in: object)
        case .unmodelled: return object.isInserted
        }
    }

    /// Whether the value is there without asking the store for members of a relationship that has not been read.
    func isKnown(in object: NSManagedObject) -> Bool {
        guard case .toMany(_, let number) = subject, !object.isInserted, object.isInStore else { return true }
        return object.toManyLinks(number).map { $0.isLoaded || $0.hasChanges } ?? false
    }
}

extension NSManagedObject {
    /// Whether the object has a record that its context can ask for.
    fileprivate var isInStore: Bool { registry?.context?.dataSource.knows(self) == true }
}

extension NSRelationshipDescription {
    /// Whether some number of members would break a rule of the model.
    var limitsCount: Bool { minCount > (isOptional ? 1 : 0) || maxCount > 0 }
}
