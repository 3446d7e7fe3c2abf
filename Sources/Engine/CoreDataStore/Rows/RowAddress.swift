import CoreDataModeling

/// The location of a row: its entity and store, and its key.
package struct RowAddress: Sendable {
    package let binding: EntityBinding
    package let key: Int64

    package init(binding: EntityBinding, key: Int64) {
        self.binding = binding
        self.key = key
    }

    /// The layout of the row's entity.
    package var layout: EntityLayout { binding.layout }
}

/// The location of a row as a dictionary key: all entities of a hierarchy in a store share one identity table and its
/// keys.
package struct RowKey: Hashable, Sendable {
    package let table: Int
    package let key: Int64

    package init(table: Int, key: Int64) {
        self.table = table
        self.key = key
    }

    package init(_ address: RowAddress) { self.init(table: address.binding.table, key: address.key) }
}
