import CoreDataStore

/// What the class of an entity's objects adds to the entity's layout, found once, when the model is first used.
///
/// Constant from then on.
final class ClassLayout: @unchecked Sendable {
    let objectClass: NSManagedObject.Type
    /// The properties of `objectClass` by number and by name.
    let table: PropertyTable
    /// The name of the class that the model gives and the program does not have; nil where all is well.
    let missingClass: String?
    /// The checks of objects before they are saved, which only validation interprets.
    let validationPlan: AnyObject
    /// Whether the class has methods of its own that are called around each change of an attribute or to-one relationship.
    let announcesChanges: Bool
    /// The methods of a fetch or save that do something for objects of the class.
    let hooks: ObjectHooks
    /// The relationships that a deletion is to follow, by name.
    let ruledByDeletion: [NSRelationshipDescription]
    /// The relationships whose members are deleted when they leave.
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
    /// What the class of the entity's objects adds.
    var classLayout: ClassLayout { unsafeDowncast(classes, to: ClassLayout.self) }

    package var objectClass: NSManagedObject.Type { classLayout.objectClass }
    package var table: PropertyTable { classLayout.table }
    var missingClass: String? { classLayout.missingClass }
    var announcesChanges: Bool { classLayout.announcesChanges }
    var hooks: ObjectHooks { classLayout.hooks }
    var ruledByDeletion: [NSRelationshipDescription] { classLayout.ruledByDeletion }
    var ownedRelationships: [NSRelationshipDescription] { classLayout.ownedRelationships }

    /// The layout of an entity; its first use makes the layouts of the entire model, which is frozen then.
    ///
    /// Nil for an entity without a model.
    package static func of(_ entity: NSEntityDescription) -> EntityLayout? {
        known(entity) ?? entity.managedObjectModel.flatMap { ModelLayout.of($0).layout(of: entity) }
    }
}

extension ModelLayout {
    /// The layout of a model, made at its first use, which freezes the model.
    package static func of(_ model: NSManagedObjectModel) -> ModelLayout {
        of(model) { NSManagedObject.operations.makeClassLayout(of: $0, $1) }
    }
}

extension NSRelationshipDescription {
    /// Whether a deletion does something to the objects at the other end; with Deny, and with Nullify of a one-way
    /// relationship, it does nothing.
    var needsFollowing: Bool {
        switch deleteRule {
        case .cascadeDeleteRule: true
        case .nullifyDeleteRule: inverseRelationship != nil
        case .denyDeleteRule, .noActionDeleteRule: false
        }
    }
}
