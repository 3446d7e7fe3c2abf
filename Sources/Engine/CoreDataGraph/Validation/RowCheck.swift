import CoreDataStore

/// Validates rows for which no context has objects (such as those of batch inserts), by the rules for new objects.
///
/// One object without a context represents each row in turn. Required relationships count as missing.
final class RowCheck {
    private let object: NSManagedObject
    private let layout: EntityLayout
    private let isNeeded: Bool

    /// Nil if an entity rule names a relationship, since rows do not contain the related objects.
    init?(_ layout: EntityLayout) {
        guard layout.ruleKeys.allSatisfy({ layout.entity.relationshipsByName[$0] == nil }) else { return nil }
        self.layout = layout
        object = layout.objectClass.init(entity: layout.entity, insertInto: nil)
        isNeeded = !layout.validation.isEmpty || layout.validation.isOverridden
    }

    /// - Parameter allowsAbsentMembers: whether relationships may have members that come later.
    /// - Throws: the errors of validating a new object with the row's values.
    func check(_ slab: RowSlab, _ index: Int, allowsAbsentMembers: Bool) throws {
        guard isNeeded else { return }
        object.working?.reset()
        for (slot, value) in layout.transientDefaults { object.store(value, slot) }
        object.slab = slab
        object.rowIndex = UInt16(index)
        guard allowsAbsentMembers else { return try object.validateForInsert() }
        try AbsentMembers.passingOver(in: layout.entity, object.validateForInsert)
    }
}

extension EntityLayout {
    /// The names of the properties in the entity's rules over several properties.
    package var ruleKeys: Set<String> { Set(validation.entityRules.flatMap(\.keys)) }
}
