import CoreDataModeling

/// An entity in a store: what all records of one entity that live in one store share.
@usableFromInline
package final class EntityBinding: @unchecked Sendable {
    /// The layout is owned by the model.
    @usableFromInline package unowned(unsafe) let layout: EntityLayout
    /// Retains the model and so the layout; nil if the layout owns the binding.
    private let model: NSManagedObjectModel?
    /// A reference to the store; nil for objects that have not been saved.
    package let storeReference: (any StoreReference)?
    /// Whether the binding belongs to objects that have not been saved.
    package let isTemporary: Bool
    /// The number of the identity table that contains the records, unique for each store and root entity in a context's
    /// registry.
    package let table: Int

    package init(layout: EntityLayout, storeReference: (any StoreReference)?, storeNumber: Int) {
        self.layout = layout
        model = layout.model.model
        self.storeReference = storeReference
        isTemporary = storeNumber == 0
        table = storeNumber * layout.model.rootCount + layout.root
    }

    /// Makes the binding of a row that the layout itself owns.
    package init(unowned layout: EntityLayout) {
        self.layout = layout
        model = nil
        isTemporary = true
        storeReference = nil
        table = layout.root
    }

    /// A row whose values are all null: the snapshot of a deleted record.
    package var blankRow: RowSlab {
        let slab = RowSlab(binding: self, capacity: 1)
        _ = slab.appendRow(key: 0, version: 0)
        return slab
    }
}

/// Refers to the store of rows. It may outlive the store's removal; large values can then no longer be read.
package protocol StoreReference: AnyObject, Sendable {
    /// Reads the store's large values; nil once the store has been removed.
    var largeValues: (any LargeValueKeeping)? { get }
    /// The object identifier of a record of the store, as fetch results contain it.
    func identifier(of binding: EntityBinding, key: Int64) -> AnyObject
}
