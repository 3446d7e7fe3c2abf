import CoreDataStore

/// The rows of one store as a context sees them: the store as it is, or one generation of it.
package protocol RowSource: AnyObject {
    /// The rows that are known without asking.
    var rowCache: RowCache { get }
    /// Who reads rows; nil once the store has been closed.
    var reader: (any RowReading)? { get }
    /// Runs a block while nobody else reads here.
    func serialized<Result>(_ body: () throws -> Result) rethrows -> Result
}

extension NSPersistentStore: RowSource {
    package final var reader: (any RowReading)? { objects }
}

extension RowSource {
    /// The newest known row of a record, which may be of any entity with the same root; nil when there is none.
    ///
    /// Asks the reader when the cache has none. What the row's slots mean, its own layout knows: `adopt` heeds it.
    func anyRow(_ binding: EntityBinding, key: Int64) throws -> RowReference? {
        if let known = rowCache.row(root: binding.layout.root, key: key) { return known }
        return try storedRow(binding, key: key)
    }

    /// The row of a record as it is read, which is the newest known from now on; nil when there is none.
    func storedRow(_ binding: EntityBinding, key: Int64) throws -> RowReference? {
        guard let reader else { return nil }
        let rows = try serialized { try published(.rows(reader.rows(of: binding, keys: [key]))) }
        guard case .rows(let runs) = rows, let run = runs.first, let index = run.range.first else {
            rowCache.forget(root: binding.layout.root, key: key)
            return nil
        }
        return RowReference(slab: run.slab, index: index)
    }

    /// The rows of records of one hierarchy as they are read, which are the newest known from now on, in no order.
    func storedRows(_ binding: EntityBinding, keys: [Int64]) throws -> [RowReference] {
        guard let reader else { return [] }
        let found = try serialized { try published(.rows(reader.rows(of: binding, keys: keys))) }
        guard case .rows(let runs) = found else { return [] }
        return runs.flatMap { run in run.range.map { RowReference(slab: run.slab, index: $0) } }
    }

    /// Sees to it that a record is read again, unless the cache has a later version than `version` or one that is younger
    /// than `age` seconds.
    func forgetRow(
        _ binding: EntityBinding, key: Int64, unlessNewerThan version: Int64, orYoungerThan age: TimeInterval
    ) {
        if let known = rowCache.row(root: binding.layout.root, key: key),
            known.version > version || age > 0 && rowCache.age(of: known.slab) < age
        {
            return
        }
        rowCache.forget(root: binding.layout.root, key: key)
    }

    /// Makes rows that were just read the newest known ones.
    ///
    /// Called while nobody else reads, so that rows read before a save are never published after it.
    func published(_ found: FetchedRows) -> FetchedRows {
        guard case .rows(let runs) = found else { return found }
        if let root = runs.first?.slab.layout.root { rowCache.reserveFirst(runs.rowCount, root: root) }
        var former: RowSlab?
        for run in runs where run.slab !== former {
            former = run.slab
            if run.slab.cache == nil { rowCache.publish(run.slab) }
        }
        return found
    }
}
