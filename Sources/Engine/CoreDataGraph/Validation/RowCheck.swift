import CoreDataStore

/// Checks rows of an entity that no context has objects of, by the rules by which new objects are checked.
///
/// One object, which is in no context, stands for each row in turn. Relationships that it must have count as missing.
final class RowCheck {
    private let object: NSManagedObject
    private let layout: EntityLayout
    private let isNeeded: Bool

    /// Nil for an entity with a rule that names a relationship, since rows do not have its other end.
    init?(_ layout: EntityLayout) {
        guard layout.ruleKeys.allSatisfy({ layout.entity.relationshipsByName[$0] == nil }) else { return nil }
        self.layout = layout
        object = layout.objectClass.init(entity: layout.entity, insertInto: nil)
        isNeeded = !layout.validation.isEmpty || layout.validation.isOverridden
    }

    /// - Throws: what a new object of the row's values throws when it is validated.
    func check(_ slab: RowSlab, _ index: Int) throws {
        guard isNeeded else { return }
        object.working?.reset()
        for (slot, value) in layout.transientDefaults { object.store(value, slot) }
        object.slab = slab
        object.rowIndex = UInt16(index)
        try object.validateForInsert()
    }
}

extension EntityLayout {
    /// The names of the properties that rules over several properties name.
    package var ruleKeys: Set<String> { Set(validation.entityRules.flatMap(\.keys)) }
}
