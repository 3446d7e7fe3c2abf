import CoreDataModeling

/// An entity in a store: what all records of one entity that live in one store share.
@usableFromInline
package final class EntityBinding: @unchecked Sendable {
    /// Owned by the model.
    @usableFromInline package unowned(unsafe) let layout: EntityLayout
    /// Keeps the layout alive; nil where the layout owns the binding.
    private let model: NSManagedObjectModel?
    /// What leads to the store; nil for objects that have not been saved.
    package let storeReference: (any StoreReference)?
    /// Whether it is that of objects that were never saved.
    package let isTemporary: Bool
    /// The place of the objects' identity table in their context's registry: root entities by store.
    package let table: Int

    package init(layout: EntityLayout, storeReference: (any StoreReference)?, storeNumber: Int) {
        self.layout = layout
        model = layout.model.model
        self.storeReference = storeReference
        isTemporary = storeNumber == 0
        table = storeNumber * layout.model.rootCount + layout.root
    }

    /// The binding of a row that the layout itself owns.
    package init(unowned layout: EntityLayout) {
        self.layout = layout
        model = nil
        isTemporary = true
        storeReference = nil
        table = layout.root
    }

    /// A row without any value: the snapshot of a record that is gone.
    package var blankRow: RowSlab {
        let slab = RowSlab(binding: self, capacity: 1)
        _ = slab.appendRow(key: 0, version: 0)
        return slab
    }
}

/// Leads to the store that rows are of, as long as it is open.
package protocol StoreReference: AnyObject, Sendable {
    /// What keeps the store's large values; nil once the store has been removed.
    var largeValues: (any LargeValueKeeping)? { get }
    /// The identifier of a record of the store, as results of fetches give it.
    func identifier(of binding: EntityBinding, key: Int64) -> AnyObject
}
