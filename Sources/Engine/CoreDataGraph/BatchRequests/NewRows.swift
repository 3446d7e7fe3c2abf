import CoreDataStore

/// Rows of new records of an entity, made without objects: what the model gives them, and the rules they are checked by.
package struct NewRowForm {
    fileprivate let defaults: DefaultValues
    fileprivate let check: RowCheck

    /// Returns nil if a validation rule of the entity names a relationship: a row does not contain the related objects.
    package init?(of layout: EntityLayout) {
        guard let check = RowCheck(layout) else { return nil }
        self.check = check
        defaults = DefaultValues(of: layout)
    }
}

/// The new rows of one save to a store, and the large values that have been put outside of them. Used by one thread at a time.
package final class NewRows {
    private let store: NSPersistentStore
    private let largeValues: (any LargeValueWriting)?
    /// What wrote last: rows of an entity follow each other.
    private var latest: RowBuilder?

    package init(in store: NSPersistentStore) {
        self.store = store
        largeValues = store.objects?.largeValueWriter()
    }

    /// Adds a row with the model's values to a slab that is not full; gives its place.
    ///
    /// - Throws: where a value cannot be made or stored.
    package func append(to slab: RowSlab, key: Int64, _ form: NewRowForm) throws -> Int {
        try form.defaults.append(to: slab, key: key, builder(for: slab.layout))
    }

    /// Writes a value of an attribute; false for a number that the attribute cannot have.
    ///
    /// - Throws: where the value cannot be stored.
    package func set(
        _ value: HeldValue, slot: Int, attribute: NSAttributeDescription, kind: AttributeKind, in slab: RowSlab,
        _ index: Int
    ) throws -> Bool {
        switch value {
        case .integer(let number) where !slab.layout.traits[slot].takes(number): return false
        // A row has nil there, of which rules say something else.
        case .real(let number) where number.isNaN: return false
        default: break
        }
        try builder(for: slab.layout).set(
            value, slot: slot, attribute: attribute, kind: kind, in: slab, index: index)
        return true
    }

    /// Checks a row whose values are all set, and gives its decimals the digits that the store keeps.
    ///
    /// - Throws: what a new object of the row's values throws when it is validated.
    package func finish(_ slab: RowSlab, _ index: Int, _ form: NewRowForm) throws {
        try form.check.check(slab, index)
        builder(for: slab.layout).keepDecimals(in: slab, index)
    }

    /// How many large values have been put outside the rows.
    package var largeCount: Int { largeValues?.count ?? 0 }

    /// Removes the large values after the first `count`, whose rows are not saved after all.
    package func discardLargeValues(after count: Int) { largeValues?.discard(after: count) }

    private func builder(for layout: EntityLayout) -> RowBuilder {
        if let latest, latest.layout === layout { return latest }
        let builder = RowBuilder(layout: layout, store: store, largeValues: largeValues)
        latest = builder
        return builder
    }
}
