import CoreDataStore

/// The default values and the validation rules of an entity, for new rows that are made without objects.
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

/// The new rows of one save to a store, and their large values that are already stored elsewhere. Used by one thread at
/// a time.
package final class NewRows {
    private let store: NSPersistentStore
    private let largeValues: (any LargeValueWriting)?
    /// The builder of the last row, reused while rows of the same entity follow.
    private var latest: RowBuilder?

    package init(in store: NSPersistentStore) {
        self.store = store
        largeValues = store.objects?.largeValueWriter()
    }

    /// Appends a row with the model's default values to a slab that is not full; returns the row's index.
    ///
    /// - Throws: the error of a default value that cannot be made or stored.
    package func append(to slab: RowSlab, key: Int64, _ form: NewRowForm) throws -> Int {
        try form.defaults.append(to: slab, key: key, builder(for: slab.layout))
    }

    /// Writes a value of an attribute; returns false, without writing, for a number that the attribute cannot have.
    ///
    /// - Throws: the error of a value that cannot be stored.
    package func set(
        _ value: HeldValue, slot: Int, attribute: NSAttributeDescription, kind: AttributeKind, in slab: RowSlab,
        _ index: Int
    ) throws -> Bool {
        switch value {
        case .integer(let number) where !slab.layout.traits[slot].takes(number): return false
        // A row stores null for NaN, and validation rules treat null differently.
        case .real(let number) where number.isNaN: return false
        default: break
        }
        try builder(for: slab.layout).set(
            value, slot: slot, attribute: attribute, kind: kind, in: slab, index: index)
        return true
    }

    /// Validates a row whose values are all set, and rounds its decimals as the store does. Relationships may have members that come
    /// later.
    ///
    /// - Throws: the validation error that a new object with the row's values would have.
    package func finish(_ slab: RowSlab, _ index: Int, _ form: NewRowForm) throws {
        try form.check.check(slab, index, allowsAbsentMembers: true)
        keepDecimals(slab, index)
    }

    /// Rounds the decimals of a row as the store does.
    package func keepDecimals(_ slab: RowSlab, _ index: Int) { builder(for: slab.layout).keepDecimals(in: slab, index) }

    /// How many large values have been stored outside the rows.
    package var largeCount: Int { largeValues?.count ?? 0 }

    /// Removes the large values after the first `count`, because their rows are not saved.
    package func discardLargeValues(after count: Int) { largeValues?.discard(after: count) }

    private func builder(for layout: EntityLayout) -> RowBuilder {
        if let latest, latest.layout === layout { return latest }
        let builder = RowBuilder(layout: layout, store: store, largeValues: largeValues)
        latest = builder
        return builder
    }
}
