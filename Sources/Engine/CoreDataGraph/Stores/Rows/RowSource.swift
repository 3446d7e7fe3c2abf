import CoreDataStore

/// The rows of one store that a context reads: of the store's present state, or of one kept state.
package protocol RowSource: AnyObject {
    /// The cached rows.
    var rowCache: RowCache { get }
    /// Whether rows can be read; false once the store has been closed.
    var isOpen: Bool { get }
    /// Runs a block with a reader that no other thread uses meanwhile; returns nil if the store is closed.
    ///
    /// - Throws: what the block throws, and `NSPersistentStoreTimeoutError` if all readers are in use for too long.
    func reading<Result>(_ body: (Reading) throws -> Result) throws -> Result?
}

/// One reading: its reader, and the moment at which it began.
package struct Reading {
    package let reader: any RowReading
    private let cache: RowCache
    private let start: RowCache.ReadingStart

    /// Runs a block with a reader whose rows are published in a cache.
    ///
    /// - Throws: what the block throws, and `CancellationError` if the read was cancelled.
    static func run<Result>(
        _ reader: any RowReading, cache: RowCache, body: (Self) throws -> Result
    ) throws -> Result {
        // The reader has not begun to read: it will see all changes up to the recorded number.
        let start = cache.beginReading()
        defer { cache.endReading() }
        let turn = Self(reader: reader, cache: cache, start: start)
        guard let cancellation = ReadCancellation.current else { return try body(turn) }
        return try cancellation.reading(with: reader.interruption) { try body(turn) }
    }

    /// Returns this reading with an earlier start, for a reader that has held one state of the store since then.
    ///
    /// The row cache treats the rows as read at that start.
    func since(_ start: RowCache.ReadingStart) -> Self { Self(reader: reader, cache: cache, start: start) }

    /// Makes rows that were just read the newest cached ones, unless they have changed since the reading began.
    package func published(_ found: FetchedRows) -> FetchedRows {
        guard case .rows(let runs) = found else { return found }
        if let root = runs.first?.slab.layout.root { cache.reserveFirst(runs.rowCount, root: root) }
        var former: RowSlab?
        for run in runs where run.slab !== former {
            former = run.slab
            cache.publish(run.slab, readSince: start)
        }
        return found
    }
}

extension RowSource {
    /// Returns the newest row of a record, which may be of any entity with the same root; nil if it does not exist.
    ///
    /// Reads the row if it is not cached. The row's own layout defines its slots: `adopt` takes that into account.
    func anyRow(_ binding: EntityBinding, key: Int64) throws -> RowSnapshot? {
        if let known = rowCache.row(root: binding.layout.root, key: key) { return known }
        return try storedRow(binding, key: key)
    }

    /// Reads the row of a record from the store and caches it as the newest; nil if it does not exist.
    func storedRow(_ binding: EntityBinding, key: Int64) throws -> RowSnapshot? {
        let rows = try reading { try $0.published(.rows($0.reader.rows(of: binding, keys: [key]))) }
        guard let rows else { return nil }
        guard case .rows(let runs) = rows, let run = runs.first, let index = run.range.first else {
            rowCache.forget(root: binding.layout.root, key: key)
            return nil
        }
        return RowSnapshot(slab: run.slab, index: index)
    }

    /// Reads the rows of records with one root entity from the store and caches them as the newest, in any order.
    func storedRows(_ binding: EntityBinding, keys: [Int64]) throws -> [RowSnapshot] {
        let found = try reading { try $0.published(.rows($0.reader.rows(of: binding, keys: keys))) }
        guard case .rows(let runs) = found else { return [] }
        return runs.flatMap { run in run.range.map { RowSnapshot(slab: run.slab, index: $0) } }
    }

    /// Removes a row from the cache, so that it is read again, unless the cached row has a later version than `version`
    /// or was read less than `age` seconds ago.
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
}
