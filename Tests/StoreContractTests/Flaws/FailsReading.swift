import CoreData
import StoreContract

/// Hands everything on while it works, and reads nothing while it does not.
final class FailsReading: PassingLayer {
    var isFailing = false

    private func check() throws {
        if isFailing { throw CoreDataError.make(NSPersistentStoreTimeoutError, "The store is locked.") }
    }

    override func rows(of binding: EntityBinding, keys: [Int64]) throws -> [RowRun] {
        try check()
        return try inner.rows(of: binding, keys: keys)
    }

    override func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, key: Int64
    ) throws -> AddressList {
        try check()
        return try inner.members(of: relationship, owner: owner, key: key)
    }

    override func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, keys: [Int64]
    ) throws -> MemberRows {
        try check()
        return try inner.members(of: relationship, owner: owner, keys: keys)
    }

    /// Comes between a stack's coordinator and its store, and makes the coordinator forget the rows it knows.
    static func between(_ stack: Stack) throws -> FailsReading {
        let store = stack.store
        guard let inner = store.objects else { throw CocoaError(.fileReadUnknown) }
        let layer = FailsReading(inner)
        store.objects = layer
        forgetRows(of: stack)
        return layer
    }

    /// Makes a stack's coordinator forget the rows it knows.
    static func forgetRows(of stack: Stack) {
        for root in stack.model.entities.filter({ $0.superentity == nil }).indices {
            for key in 1...20 as ClosedRange<Int64> { stack.store.rowCache.forget(root: root, key: key) }
        }
    }
}
