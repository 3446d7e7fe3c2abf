import CoreDataStore

/// What the managed object class of an entity adds to the entity's layout. Made when the model is first used.
///
/// Constant after it is made.
final class ClassLayout: @unchecked Sendable {
    let objectClass: NSManagedObject.Type
    /// The properties of `objectClass` by number and by name.
    let table: PropertyTable
    /// The class name in the model if the program has no such class; nil otherwise.
    let missingClass: String?
    /// The entity's `ValidationPlan`, a type of a higher layer, which alone uses it.
    let validationPlan: AnyObject
    /// Whether the class overrides `willChangeValue(forKey:)` or `didChangeValue(forKey:)`, which are then called
    /// around each change of an attribute or to-one relationship.
    let announcesChanges: Bool
    /// The methods that a fetch or save must call on objects of the class: the class overrides them, or the model has rules.
    let hooks: ObjectHooks
    /// The relationships whose delete rules change the objects at the other end, by name.
    let ruledByDeletion: [NSRelationshipDescription]
    /// The owned relationships: a save deletes an object that was removed from one and has no other owner.
    let ownedRelationships: [NSRelationshipDescription]
    let isOwner: Bool

    init(
        _ entity: NSEntityDescription, objectClass: NSManagedObject.Type, missingClass: String?, table: PropertyTable,
        validationPlan: AnyObject, announcesChanges: Bool, hooks: ObjectHooks
    ) {
        self.objectClass = objectClass
        self.missingClass = missingClass
        self.table = table
        self.validationPlan = validationPlan
        self.announcesChanges = announcesChanges
        self.hooks = hooks
        ruledByDeletion = entity.relationshipsByName.values
            .filter { !($0.isTransient && $0.isToMany) && $0.needsFollowing }
            .sorted { $0.name < $1.name }
        ownedRelationships = entity.relationshipsByName.values.filter(\.isOwned).sorted { $0.name < $1.name }
        isOwner = !ownedRelationships.isEmpty
    }
}

extension EntityLayout {
    /// What the managed object class adds to the layout.
    var classLayout: ClassLayout { unsafeDowncast(classes, to: ClassLayout.self) }

    package var objectClass: NSManagedObject.Type { classLayout.objectClass }
    package var table: PropertyTable { classLayout.table }
    var missingClass: String? { classLayout.missingClass }
    var announcesChanges: Bool { classLayout.announcesChanges }
    var hooks: ObjectHooks { classLayout.hooks }

    /// Whether making and saving an object of the class runs code of the class, which a row made without one would miss.
    package var runsCodeOfInsertions: Bool {
        classLayout.announcesChanges || !hooks.isDisjoint(with: [.willSave, .didSave])
            || MethodOverrides.awakeFromInsert.isOverridden(by: objectClass)
    }
    var ruledByDeletion: [NSRelationshipDescription] { classLayout.ruledByDeletion }
    var ownedRelationships: [NSRelationshipDescription] { classLayout.ownedRelationships }

    /// Returns the layout of an entity. A model's first call makes the layouts of all its entities, and freezes the
    /// model.
    ///
    /// Nil for an entity without a model.
    package static func of(_ entity: NSEntityDescription) -> EntityLayout? {
        known(entity) ?? entity.managedObjectModel.flatMap { ModelLayout.of($0).layout(of: entity) }
    }
}

extension ModelLayout {
    /// Returns the layout of a model. The first call makes the layout, and freezes the model.
    package static func of(_ model: NSManagedObjectModel) -> ModelLayout {
        of(model) { NSManagedObject.operations.makeClassLayout(of: $0, $1) }
    }
}

extension NSRelationshipDescription {
    /// Whether the delete rule changes the objects at the other end: false for Deny and No Action, and for Nullify
    /// without an inverse.
    var needsFollowing: Bool {
        switch deleteRule {
        case .cascadeDeleteRule: true
        case .nullifyDeleteRule: inverseRelationship != nil
        case .denyDeleteRule, .noActionDeleteRule: false
        }
    }
}
