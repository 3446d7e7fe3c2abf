import CoreDataSQL
import SQLiteKit

extension StoreFile: BatchWriting {
    package var batchWriting: (any BatchWriting)? { self }

    package func update(_ batch: BatchUpdate, by source: ChangeSource) throws -> BatchOutcome {
        let update = try BatchUpdateWriter(batch, in: self)
        batchFunctions.largeValues = largeValueWriter()
        defer { batchFunctions.largeValues = nil }
        return try changing(batchFunctions.largeValues, by: source) { try update.run() }
    }

    package func delete(_ batch: BatchDeletion, by source: ChangeSource) throws -> BatchOutcome {
        let deletion = try BatchDeleteWriter(batch, in: self)
        return try changing(nil, by: source) { try deletion.run() }
    }

    package func insert(_ batch: BatchInsertion, by source: ChangeSource) throws -> BatchOutcome {
        var insertion = try BatchInsertWriter(batch, in: self)
        return try changing(batch.largeValues, by: source) { try insertion.run() }
    }

    /// Runs a block in one transaction; afterwards removes files of large values and updates known keys according to
    /// the outcome.
    private func changing(
        _ largeValues: (any LargeValueWriting)?, by source: ChangeSource, _ body: () throws -> BatchOutcome
    ) throws -> BatchOutcome {
        batchFunctions.failure = nil
        var wasCommitted = false
        defer {
            external.finish(wasCommitted: wasCommitted)
            keys.finish(wasCommitted: wasCommitted)
            if !wasCommitted { largeValues?.discard(after: 0) }
            batchFunctions.conversions = []
            historyWriter?.finish(wasCommitted: wasCommitted, connection)
        }
        let result = try reporting("be saved") {
            try writing {
                try requireSameFile()
                var result = try throwingStoreErrors(body)
                try recordIdentifier()
                result.transaction = try historyWriter?.record(by: source, connection)
                return result
            }
        }
        wasCommitted = true
        noteCommit(result.transaction)
        reportLongUses()
        return result
    }

    /// Runs a block and converts errors of SQLite and of batch functions to errors of Core Data.
    private func throwingStoreErrors<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let refusal as SaveRefusal {
            throw refusal.error
        } catch let error as SQLiteError {
            guard let failure = batchFunctions.failure else { throw error }
            guard failure as? ValueRejection == nil else {
                throw CoreDataError.make(NSCoreDataError, "\(failure)", underlying: failure)
            }
            throw failure
        }
    }

    /// Throws `NSManagedObjectReferentialIntegrityError` unless the destination rows of the row's to-one relationships
    /// exist.
    func requireTargets(of row: SavePlan.Row) throws {
        let slab = row.slab
        guard slab.layout.hasReferences else { return }
        for slot in 0..<slab.layout.storedCount where row.changed.contains(slot) {
            guard case .toOne(let relationship) = slab.layout.slots[slot].content,
                slab.tag(row.index, slot) == RowTag.integer,
                let number = Int(exactly: slab.integer(row.index, slot + 1)), layouts.entities.indices.contains(number)
            else { continue }
            let table = SQLIdentifier.quoted(try mapping(of: layouts.entities[number]).table)
            let key = Value.integer(slab.integer(row.index, slot))
            guard try connection.rows("SELECT 1 FROM \(table) WHERE Z_PK = ?", [key]).isEmpty else { continue }
            throw CoreDataError.make(
                NSManagedObjectReferentialIntegrityError,
                "The object that '\(relationship.name)' is to lead to is not in the store any more.")
        }
    }
}
