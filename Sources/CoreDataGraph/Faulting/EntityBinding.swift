import CoreDataModeling

/// An entity in a store: what all managed objects of one entity that live in one store share.
package final class EntityBinding: @unchecked Sendable {
    /// Owned by the model.
    @usableFromInline package unowned(unsafe) let layout: EntityLayout
    /// Keeps the layout alive; nil where the layout owns the binding.
    private let model: NSManagedObjectModel?
    /// The store; nil for objects that have not been saved, and once the store has been removed.
    package var store: NSPersistentStore? { storeHandle?.object }
    private let storeHandle: Handle<NSPersistentStore>?
    /// Whether it is that of objects that were never saved.
    package let isTemporary: Bool
    /// The place of the objects' identity table in their context's registry: root entities by store.
    package let table: Int

    package init(layout: EntityLayout, store: NSPersistentStore?, storeNumber: Int) {
        self.layout = layout
        model = layout.model.model
        storeHandle = store?.handle
        isTemporary = storeNumber == 0
        table = storeNumber * layout.model.rootCount + layout.root
    }

    /// The binding of a row that the layout itself owns.
    init(unowned layout: EntityLayout) {
        self.layout = layout
        model = nil
        isTemporary = true
        storeHandle = nil
        table = layout.root
    }

    /// A row without any value that knows the version which an object was read at.
    func blankRow(like object: NSManagedObject) -> RowSlab {
        let slab = RowSlab(binding: self, capacity: 1)
        _ = slab.appendRow(key: object.key, version: object.snapshotVersion)
        return slab
    }

    /// A row without any value: the snapshot of a record that is gone.
    var blankRow: RowSlab {
        let slab = RowSlab(binding: self, capacity: 1)
        _ = slab.appendRow(key: 0, version: 0)
        return slab
    }
}
