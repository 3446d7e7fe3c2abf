import CoreDataModeling

/// The entity, predicate, sort descriptors, limit and offset of a fetch from a store.
package struct FetchQuery {
    package let binding: EntityBinding
    package let includesSubentities: Bool
    package let predicate: NSPredicate?
    package let sortDescriptors: [NSSortDescriptor]
    /// The greatest number of results; 0 for no limit.
    package let limit: Int
    package let offset: Int
    /// Whether the result has the rows' values, or only their keys.
    package let includesValues: Bool

    package init(
        binding: EntityBinding, includesSubentities: Bool = true, predicate: NSPredicate? = nil,
        sortDescriptors: [NSSortDescriptor] = [], limit: Int = 0, offset: Int = 0, includesValues: Bool = true
    ) {
        self.binding = binding
        self.includesSubentities = includesSubentities
        self.predicate = predicate
        self.sortDescriptors = sortDescriptors
        self.limit = limit
        self.offset = offset
        self.includesValues = includesValues
    }
}

/// The result of a fetch.
package enum FetchedRows {
    case rows([RowRun])
    case addresses(AddressList)

    /// The number of results.
    package var count: Int {
        switch self {
        case .rows(let runs): runs.rowCount
        case .addresses(let addresses): addresses.count
        }
    }
}
