import CoreDataModeling

/// The operations that the object graph needs of a store, whatever its type; the graph never checks the type.
///
/// A store returns rows in slabs, identifies rows by entity and key, and executes save plans. The coordinator
/// serializes the calls. Only `readers`, `replicas` and `healthProbing` may be used concurrently with another call.
package protocol ObjectStore: RowFetching, RowFaulting, RowSaving, LargeValueKeeping {
    /// Executes batch requests; nil if the store does not support them.
    var batchWriting: (any BatchWriting)? { get }
    /// Readers for several threads at once; nil if all reads must use the store itself.
    var readers: (any ReaderProviding)? { get }
    /// Replicas of the store, which may answer fetches of contexts that allow it; nil without replicas.
    var replicas: (any ReplicaProviding)? { get }
    /// Reports whether the store has changed; nil if the store cannot determine it.
    var stateReporting: (any StoreStateReporting)? { get }
    /// Checks whether the file or the server answers; nil for a store that always answers once it is open.
    var healthProbing: (any HealthProbing)? { get }
    /// Copies the write-ahead log into the main file; nil for a store without a log.
    var checkpointing: (any Checkpointing)? { get }
    /// Prevents writes by other connections during a block; nil if no other connection can write.
    var writeHolding: (any WriteHolding)? { get }
    /// Combines several saves into one transaction; nil if the store commits each save separately.
    var saveGrouping: (any SaveGrouping)? { get }
    /// Defers writing while many plans are saved; nil if each save writes only its own changes, so that deferring saves
    /// nothing.
    var deferredWriting: (any DeferredWriting)? { get }
    /// The store's persistent history; nil if the store records none.
    var history: (any HistoryKeeping)? { get }
    /// Detects writes by other connections; nil if no other connection can write, or if writes cannot be detected.
    var changeWatching: (any ChangeWatching)? { get }
    /// Executes the tasks that a migration deferred; nil for a type of store whose migrations defer nothing.
    var deferredMigrating: (any DeferredMigrating)? { get }
    /// Reads ranges of stored data; nil if the store can only read complete values.
    var dataRanges: (any DataRangeReading)? { get }
    /// The table in which tools keep state that changes together with the rows; nil for a store without one.
    var sideTable: (any SideTableKeeping)? { get }
    /// Why the store records no history though its options request it, as a sentence; nil otherwise.
    var reasonForNoHistory: String? { get }
}

/// Default implementations, which return nil: a store implements the property of each optional capability that it has.
///
/// Callers read these properties instead of casting the store.
extension ObjectStore {
    package var batchWriting: (any BatchWriting)? { nil }
    package var readers: (any ReaderProviding)? { nil }
    package var replicas: (any ReplicaProviding)? { nil }
    package var stateReporting: (any StoreStateReporting)? { nil }
    package var healthProbing: (any HealthProbing)? { nil }
    package var checkpointing: (any Checkpointing)? { nil }
    package var writeHolding: (any WriteHolding)? { nil }
    package var saveGrouping: (any SaveGrouping)? { nil }
    package var deferredWriting: (any DeferredWriting)? { nil }
    package var history: (any HistoryKeeping)? { nil }
    package var changeWatching: (any ChangeWatching)? { nil }
    package var deferredMigrating: (any DeferredMigrating)? { nil }
    package var dataRanges: (any DataRangeReading)? { nil }
    package var sideTable: (any SideTableKeeping)? { nil }
    package var reasonForNoHistory: String? { nil }
}

/// Fetching rows, counts and values by a query.
package protocol RowFetching: AnyObject {
    /// The rows that a query selects, in its order.
    func fetch(_ query: FetchQuery) throws -> FetchedRows
    /// The number of rows that a query selects, without reading them.
    func count(_ query: FetchQuery) throws -> Int
    /// Passes the values that a query selects to `body`, in the query's order and in one table or several: row by row,
    /// each row with one value for each column.
    ///
    /// No row is put into a cache. A stored value that does not have its attribute's type is passed as nil.
    func values(_ query: ValueQuery, _ body: (ValueTable) -> Void) throws
    /// Reads the rows of a query in batches; nil if the store only reads all of them together.
    var rowStreaming: (any RowStreaming)? { get }
    /// Counts sections of equal values and finds places in them; nil if the caller has to read the rows for that.
    var sectionScanning: (any SectionScanning)? { get }
    /// Interrupts the store's running query, from any thread; nil if the store cannot interrupt queries.
    var interruption: (@Sendable () -> Void)? { get }
}

extension RowFetching {
    package var rowStreaming: (any RowStreaming)? { nil }
    package var sectionScanning: (any SectionScanning)? { nil }
    package var interruption: (@Sendable () -> Void)? { nil }

    /// The values that a query selects, in one table.
    package func values(_ query: ValueQuery) throws -> ValueTable {
        let all = ValueTable(width: query.columns.count)
        try values(query) { all.append($0) }
        return all
    }
}

/// Reads the rows of a query in batches, so that few rows are in memory at once; implemented by stores that can.
package protocol RowStreaming: AnyObject {
    /// Returns a stream of the rows that a query selects, in its order. Unless the store is a kept generation, the
    /// caller must not use it for anything else until all rows have been read or the stream has been released.
    func stream(_ query: FetchQuery) throws -> any RowStream
}

/// The rows of a running query. Deallocating the stream ends the query.
package protocol RowStream: AnyObject {
    /// Reads the next rows, at most `count`; empty at the end.
    func next(_ count: Int) throws -> [RowRun]
    /// Makes a running call of `next` fail soon; called from another thread.
    func interrupt()
}

/// Reading the rows of faults.
package protocol RowFaulting: AnyObject {
    /// The rows with the given keys of one entity hierarchy, in any order; keys without a row are left out.
    func rows(of binding: EntityBinding, keys: [Int64]) throws -> [RowRun]
    /// The members of a to-many relationship of one row; in the order of the relationship if it is ordered.
    func members(of relationship: NSRelationshipDescription, owner: EntityBinding, key: Int64) throws -> AddressList
    /// The members of a to-many relationship of many rows of one entity hierarchy, together with the members' rows.
    ///
    /// `owner` is the entity that declares the relationship. The store executes one query, however many owners there
    /// are.
    func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, keys: [Int64]
    ) throws -> MemberRows
}

/// Finding rows, and reading the rows of faults.
package typealias RowReading = RowFetching & RowFaulting

/// The members of a relationship of many owners.
package struct MemberRows {
    /// The members' rows, each once, in any order.
    package var rows: [RowRun]
    /// Pairs of keys of an owner and a member. The members of one owner are in the owner's order; pairs of other owners
    /// may come between them.
    package var pairs: [(owner: Int64, member: Int64)]
    /// Whether each pair is of the row with its number, so that rows need not be found by their keys.
    package var areParallel: Bool

    package init(rows: [RowRun] = [], pairs: [(owner: Int64, member: Int64)] = [], areParallel: Bool = false) {
        self.rows = rows
        self.pairs = pairs
        self.areParallel = areParallel
    }
}

/// Reads the rows of a store as they are in one snapshot.
package protocol KeptGeneration: RowReading {
    /// Releases the snapshot; the caller reads nothing afterwards.
    func release()
}

/// Saving plans, and giving out keys for new rows.
package protocol RowSaving: AnyObject {
    /// Whether the store refuses every save.
    var isReadOnly: Bool { get }
    /// Why the store refuses every save though it was opened for writing, as a sentence; nil otherwise.
    var reasonForReadOnly: String? { get }
    /// Whether decimals are to be rounded as `KeptDecimal` does before rows are saved.
    var roundsDecimals: Bool { get }
    /// Reserves keys for the new rows of one plan; other users of the store get other keys. The keys are used up once
    /// the plan is saved.
    func checkOutKeys(_ demand: KeyDemand) throws -> KeyGrant
    /// Returns the keys of a plan that was not saved, so that the store may give them out again.
    func checkInKeys(_ grant: KeyGrant)
    /// Reserves keys that neither this nor another process ever gets again, even if no row is saved with them.
    func reserveKeys(_ demand: KeyDemand) throws -> KeyGrant
    /// Executes a plan in one transaction, completely or not at all.
    func save(_ plan: SavePlan) throws -> SaveOutcome
}

extension RowSaving {
    package var reasonForReadOnly: String? { nil }
    package var roundsDecimals: Bool { false }
}

/// Prevents writes during several reads, so that all of them see one state; implemented by stores to which others may
/// write.
package protocol WriteHolding: AnyObject {
    /// Runs a block; until it returns, no connection of this or another process changes the store's contents.
    func holdingWrites<Result>(_ body: () throws -> Result) throws -> Result
}

/// Saves many plans to a store that no other user has seen yet, and writes all of them at the end; implemented by
/// stores that write their complete file with each save.
package protocol DeferredWriting: AnyObject {
    /// From this call on, the store executes plans only in memory.
    func beginDeferredWriting()
    /// Writes the deferred plans and unsaved metadata; afterwards each save writes to the file again.
    ///
    /// - Throws: the errors that saving throws; the file is unchanged then.
    func finishDeferredWriting() throws
}

extension ObjectStore {
    /// Runs a block, during which no other connection changes the store's contents, so that all reads see one state.
    package func readingOneState<Result>(_ body: () throws -> Result) throws -> Result {
        guard let writeHolding else { return try body() }
        return try writeHolding.holdingWrites(body)
    }

    /// Runs a block and commits its saves together, as `SaveGrouping` does; returns nil without running the block if
    /// the store commits each save separately.
    package func saveTogether<Result>(_ body: () throws -> Result) throws -> Result? {
        try saveGrouping?.savingTogether(body)
    }

    /// Reserves keys for new rows; `counts` has the number of keys by root entity. See `checkOutKeys(_:)`.
    package func checkOutKeys(_ counts: [Int: Int]) throws -> KeyGrant {
        var demand = KeyDemand()
        demand.counts = counts
        return try checkOutKeys(demand)
    }
}
