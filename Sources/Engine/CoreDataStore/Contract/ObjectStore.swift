import CoreDataModeling

/// What the graph asks of a store; it never asks which store it has.
///
/// A store answers with rows in slabs, addressed by entity and key, and takes save plans. Calls come one at a time:
/// the coordinator serialises them on the store. Only `readers`, `replicas` and `healthProbing` may be used beside.
package protocol ObjectStore: RowFetching, RowFaulting, RowSaving, LargeValueKeeping {
    /// Carries out batch requests; nil where the store cannot.
    var batchWriting: (any BatchWriting)? { get }
    /// Readers for several threads at once; nil where the store itself is the only one.
    var readers: (any ReaderProviding)? { get }
    /// Copies of the store that may answer contexts that allow it; nil without replicas.
    var replicas: (any ReplicaProviding)? { get }
    /// Detects whether the store is unchanged; nil where it cannot.
    var stateReporting: (any StoreStateReporting)? { get }
    /// Finds out whether the file or the server answers; nil where a store that is open always does.
    var healthProbing: (any HealthProbing)? { get }
    /// Writes the log into the file; nil for a store without a log.
    var checkpointing: (any Checkpointing)? { get }
    /// Keeps others from writing; nil where no other connection can write.
    var writeHolding: (any WriteHolding)? { get }
    /// Combines several saves into one change; nil where each is separate.
    var saveGrouping: (any SaveGrouping)? { get }
    /// Puts off writing while many plans are saved; nil where each save costs only what it writes.
    var deferredWriting: (any DeferredWriting)? { get }
    /// The store's persistent history; nil where none is kept.
    var history: (any HistoryKeeping)? { get }
    /// Notices what others write; nil where no other connection can write, and where it cannot be noticed.
    var changeWatching: (any ChangeWatching)? { get }
    /// Finishes what a migration has left for later; nil where none leaves anything.
    var deferredMigrating: (any DeferredMigrating)? { get }
    /// Reads parts of stored data; nil where values are only read completely.
    var dataRanges: (any DataRangeReading)? { get }
    /// Why the store keeps no history though it was to, as a sentence; nil for any other.
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
    package var reasonForNoHistory: String? { nil }
}

/// Finding rows by a question.
package protocol RowFetching: AnyObject {
    /// The rows that a query selects, in its order.
    func fetch(_ query: FetchQuery) throws -> FetchedRows
    /// The number of rows that a query selects, without reading them.
    func count(_ query: FetchQuery) throws -> Int
    /// Hands out the values that a query asks for, in its order: one for each of its columns, row by row, in one table
    /// or several.
    ///
    /// No row goes into a cache. A stored value whose type is not that of its attribute is nil.
    func values(_ query: ValueQuery, _ body: (ValueTable) -> Void) throws
    /// Reads what a query selects a piece at a time; nil where rows are only read together.
    var rowStreaming: (any RowStreaming)? { get }
    /// Gives places and runs of equal values; nil where rows have to be read for that.
    var sectionScanning: (any SectionScanning)? { get }
    /// Interrupts the store's running query, from any thread; nil where that is not possible.
    var interruption: (@Sendable () -> Void)? { get }
}

extension RowFetching {
    package var rowStreaming: (any RowStreaming)? { nil }
    package var sectionScanning: (any SectionScanning)? { nil }
    package var interruption: (@Sendable () -> Void)? { nil }

    /// The values that a query asks for, together.
    package func values(_ query: ValueQuery) throws -> ValueTable {
        let all = ValueTable(width: query.columns.count)
        try values(query) { all.append($0) }
        return all
    }
}

/// Reading what a query selects a piece at a time, so that there are never many rows at once; for stores that can.
package protocol RowStreaming: AnyObject {
    /// Returns a stream of the rows that a query selects, in its order. Unless the store is a kept generation, the
    /// caller must not use it for anything else until all rows have been read or the stream has been released.
    func stream(_ query: FetchQuery) throws -> any RowStream
}

/// The rows of a running query. Releasing it ends the query.
package protocol RowStream: AnyObject {
    /// The next rows, at most as many; none at the end.
    func next(_ count: Int) throws -> [RowRun]
    /// Makes a call of `next` on another thread fail soon; may be called from any thread.
    func interrupt()
}

/// Reading the rows of faults.
package protocol RowFaulting: AnyObject {
    /// The rows with the given keys of one hierarchy, in no order; keys without a row are left out.
    func rows(of binding: EntityBinding, keys: [Int64]) throws -> [RowRun]
    /// The members of a to-many relationship of one row, in their order if it is ordered.
    func members(of relationship: NSRelationshipDescription, owner: EntityBinding, key: Int64) throws -> AddressList
    /// The members of a to-many relationship of many rows of one hierarchy, with the members' rows.
    ///
    /// `owner` is the entity that declares the relationship. One question, however many owners there are.
    func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, keys: [Int64]
    ) throws -> MemberRows
}

/// Finding rows, and reading the rows of faults.
package typealias RowReading = RowFetching & RowFaulting

/// The members of a relationship of many owners.
package struct MemberRows {
    /// The members' rows, each once, in no order.
    package var rows: [RowRun]
    /// Owners and members by their keys; those of one owner are in its order, others may stand between them.
    package var pairs: [(owner: Int64, member: Int64)]
    /// Whether each pair is of the row with its number, so that rows need not be found by their keys.
    package var areParallel: Bool

    package init(rows: [RowRun] = [], pairs: [(owner: Int64, member: Int64)] = [], areParallel: Bool = false) {
        self.rows = rows
        self.pairs = pairs
        self.areParallel = areParallel
    }
}

/// The rows of a store in one snapshot.
package protocol KeptGeneration: RowReading {
    /// Releases what keeps the snapshot; nothing is read afterwards.
    func release()
}

/// Writing.
package protocol RowSaving: AnyObject {
    /// Whether the store refuses every save.
    var isReadOnly: Bool { get }
    /// Why the store refuses every save though it was opened for writing, as a sentence; nil for any other.
    var reasonForReadOnly: String? { get }
    /// Whether rows are to have their decimals as `KeptDecimal` says before they are saved.
    var roundsDecimals: Bool { get }
    /// Gives out keys for the new rows of one plan; other users of the store get others. They count once the plan is saved.
    func checkOutKeys(_ demand: KeyDemand) throws -> KeyGrant
    /// Takes back the keys of a plan that was not saved, so that they may be given out again.
    func checkInKeys(_ grant: KeyGrant)
    /// Gives out keys that are never given out again, here or in another process, whether a row gets them or not.
    func reserveKeys(_ demand: KeyDemand) throws -> KeyGrant
    /// Executes a plan in one transaction, completely or not at all.
    func save(_ plan: SavePlan) throws -> SaveOutcome
}

extension RowSaving {
    package var reasonForReadOnly: String? { nil }
    package var roundsDecimals: Bool { false }
}

/// Asking several questions about one state of the store; for stores that others may write to.
package protocol WriteHolding: AnyObject {
    /// Runs a block during which no connection, in this process or another, changes what the store answers.
    func holdingWrites<Result>(_ body: () throws -> Result) throws -> Result
}

/// Saving many plans to a store that no other user has seen yet, and writing them together; for stores that write all they have.
package protocol DeferredWriting: AnyObject {
    /// From here on plans are only carried out in memory.
    func beginDeferredWriting()
    /// Writes what was deferred, and metadata that was not saved; afterwards each save writes again.
    ///
    /// - Throws: what saving throws; nothing has been written then.
    func finishDeferredWriting() throws
}

extension ObjectStore {
    /// Runs a block that sees one state of the store: no other connection changes meanwhile what the store answers.
    package func readingOneState<Result>(_ body: () throws -> Result) throws -> Result {
        guard let writeHolding else { return try body() }
        return try writeHolding.holdingWrites(body)
    }

    /// Runs a block whose saves count together, as `SaveGrouping` does; nil, with nothing run, where each save is separate.
    package func saveTogether<Result>(_ body: () throws -> Result) throws -> Result? {
        try saveGrouping?.savingTogether(body)
    }

    /// New keys for rows, by how many of each root entity are wanted; see `checkOutKeys(_:)`.
    package func checkOutKeys(_ counts: [Int: Int]) throws -> KeyGrant {
        var demand = KeyDemand()
        demand.counts = counts
        return try checkOutKeys(demand)
    }
}
