import CoreDataModeling

/// Where a row is found: its entity in the store, and its key.
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

/// Where a row is found, as a key of dictionaries: all entities of a hierarchy share one number space.
package struct RowKey: Hashable, Sendable {
    package let table: Int
    package let key: Int64

    package init(table: Int, key: Int64) {
        self.table = table
        self.key = key
    }

    package init(_ address: RowAddress) { self.init(table: address.binding.table, key: address.key) }
}
