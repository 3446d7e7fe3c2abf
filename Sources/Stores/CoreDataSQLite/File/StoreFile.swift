import CoreDataSQL
import SQLiteKit

/// An open store: a connection, and the mapping of the model's entities to its tables.
///
/// Used by one thread at a time, like its store. Extensions read rows, follow relationships and save. The store has one
/// instance that writes; its readers (`ReaderPool`) are further instances for the same file.
package final class StoreFile {
    private(set) var connection: Connection
    /// What all connections to the file share.
    let shape: StoreShape
    let external: ExternalData
    package let isReadOnly: Bool
    package let reasonForReadOnly: String?

    let copy: PrivateCopy?
    /// Opens the file again with the same settings; nil for a file that is never written.
    var reconnect: (() throws -> Connection)?
    /// The pool of readers; nil for a reader, and if only one thread at a time may read the file.
    var pool: ReaderPool?
    /// Checks whether the file can still be read; nil for a reader, and for a store in memory. Set before the store is
    /// used.
    var probe: FileProbe?
    /// The ticket for returning a reader to its pool while it is checked out.
    package var ticket: ReaderTicket?
    /// Whether a failure means that pages cached in memory may differ from those on disk.
    private(set) var isSuspect = false
    /// The state of the SQL functions that batch requests call.
    let batchFunctions = BatchFunctions()
    /// The statements that fire faults.
    let faultQueries = FaultQueries()
    /// The names of the application's comparisons that are registered with the connection as collations.
    private var comparisons: Set<String> = []
    /// The derived values that triggers and derivations have written during the current save; nil outside of a save.
    var derivedChanges: DerivedChanges?
    /// An identifier that the file lacks; the next save writes it.
    var unrecordedIdentifier: String?
    /// The file's state when it was last verified to be the store that was opened.
    var verified = VerifiedState()
    /// The program's metadata as this store last read or wrote it.
    var knownMetadata = KnownMetadata()
    /// Whether saves are savepoints in a transaction that has begun.
    var isGroupingSaves = false
    /// Records what saves and batch requests change; nil if no history is recorded, and for a reader.
    var historyWriter: HistoryWriter?
    /// Whether the program requested a history, and it can be read.
    var tracksHistory = false
    package var reasonForNoHistory: String?
    /// Updates the search index with each change; nil without an index, and for a reader.
    var searchWriter: SearchWriter?
    /// The search index as this connection reads it; nil without a usable index.
    var search: SearchReader?
    /// Reports writes to the file, while they are observed.
    var watch: FileWatch?
    /// Creates the watch that reports writes to a file; nil if the system has no more watches.
    var makeWatch: (_ path: String, _ written: @escaping @Sendable () -> Void) -> FileWatch? = FileWatch.init
    /// SQLite's data version when it was last checked for commits of other connections.
    var seenVersion: Int64 = 0
    /// How the history numbers the properties of entities, by layout number.
    private(set) lazy var historyProperties = HistoryProperties.all(of: layouts)
    /// Allocates the primary keys of new rows.
    private(set) lazy var keys = SQLiteKeyAllocator(shape)

    var url: URL { shape.url }
    var schema: StoreSchema { shape.schema }
    var layouts: ModelLayout { shape.layouts }
    var derivedColumns: DerivedColumns? { shape.derivedColumns }
    var store: any BackendDelegate { shape.store }
    var lacksUniqueIndex: Bool { shape.lacksUniqueIndex }
    /// Problems with the file, as sentences.
    package var problems: [String] { shape.findings.problems }

    init(
        connection: Connection, copy: PrivateCopy?, url: URL, layouts: ModelLayout, configuration: String?,
        store: any BackendDelegate, isReadOnly: Bool, tracksHistory: Bool
    ) throws {
        self.connection = connection
        self.copy = copy
        shape = try StoreShape(
            connection, url: url, layouts: layouts, configuration: configuration, store: store,
            tracksHistory: tracksHistory)
        external = ExternalData(store: url)
        let reason = shape.reasonsForReadOnly.first
        reasonForReadOnly = isReadOnly ? nil : reason.map { PrintableText.line($0) }
        self.isReadOnly = isReadOnly || reason != nil
        try registerFunctions()
        verified.dataVersion = connection.dataVersion
    }

    /// Creates a reader of a file that is already open.
    init(reading shape: StoreShape, _ connection: Connection) throws {
        self.connection = connection
        self.shape = shape
        copy = nil
        external = ExternalData(store: shape.url)
        isReadOnly = true
        reasonForReadOnly = nil
        try registerFunctions()
        search = shape.search.flatMap { SearchReader($0, attachingTo: connection) }
    }

    package func close() {
        watch?.end()
        pool?.close()
        search?.detach(from: connection)
        searchWriter?.close(connection)
        connection.close()
    }

    /// Returns an upper bound for the number of rows in a file of the current size.
    ///
    /// The pages of a damaged file can form cycles, so that reading its rows would never end.
    func mostRows() throws -> Int {
        let pages = try connection.pragma("page_count")?.integer ?? 0
        let size = try connection.pragma("page_size")?.integer ?? 0
        return Int(clamping: max(0, pages) * max(0, size))
    }

    /// Throws if more rows were read than the file can have; `allowed` caches the bound.
    func checkCount(_ count: Int, allowed: inout Int) throws {
        guard count > allowed else { return }
        allowed = try mostRows()
        guard count > allowed else { return }
        throw CoreDataError.make(
            NSFileReadCorruptFileError,
            "The store '\(url.path)' cannot be read: the file is damaged, as it gives more rows than it has bytes.",
            hint: StoreErrors.restore)
    }

    func note(_ problem: String) { shape.findings.note(problem) }

    /// Returns the plan for rows with an entity number; nil for an unknown number, which no row should have.
    func plan(number: Int64) -> RowPlan? { shape.plan(number: number) }

    func mapping(of layout: EntityLayout) throws -> EntityMapping {
        guard let mapping = schema.entity(named: layout.entity.name ?? "") else {
            throw CoreDataError.make(
                NSCoreDataError, "The store does not keep entity '\(layout.entity.name ?? "")'.",
                hint: "Its configuration leaves the entity out.")
        }
        return mapping
    }

    /// Returns the file's number for an entity of the model; -1 if the store does not contain the entity.
    func entityNumber(ofLayout number: Int) -> Int64 { shape.entityNumber(ofLayout: number) }

    /// Returns the plans of an entity and its descendants, as far as the store contains them.
    func plans(of mapping: EntityMapping, withDescendants: Bool) -> [RowPlan] {
        shape.plans(of: mapping, withDescendants: withDescendants)
    }

    /// Runs a block and converts SQLite errors to errors that say which action failed; first reopens a suspect file.
    func reporting<Result>(_ action: String, _ body: () throws -> Result) throws -> Result {
        do {
            try reopenIfSuspect()
            return try body()
        } catch let error as SQLiteError {
            if error.meansFailedSynchronization || ticket != nil && error.code != .interrupted { isSuspect = true }
            throw StoreErrors.cocoaError(error, at: url, during: action)
        }
    }

    /// Runs a block in a transaction of its own, or in a savepoint while saves are grouped.
    func writing<Result>(_ body: () throws -> Result) throws -> Result {
        isGroupingSaves ? try connection.savepoint(body) : try indexedTransaction(body)
    }

    /// Runs a block in a write transaction that also updates the search index.
    func indexedTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        guard let searchWriter else { return try connection.transaction(.immediate, body) }
        var wasCommitted = false
        defer { searchWriter.finish(connection, wasCommitted: wasCommitted) }
        let result = try connection.transaction(.immediate) {
            let result = try body()
            searchWriter.prepare(connection)
            return result
        }
        wasCommitted = true
        return result
    }

    /// Reopens a suspect file, so that everything is read from the disk again.
    private func reopenIfSuspect() throws {
        guard isSuspect, let reconnect else { return }
        // When the last connection closes, the index of the log is removed; it is then rebuilt from the log on disk.
        pool?.renew()
        connection.close()
        let fresh = try reconnect()
        let recorded = try fresh.value("SELECT Z_UUID FROM Z_METADATA")?.text
        guard unrecordedIdentifier != nil || recorded == store.identifier else {
            throw StoreErrors.unusable(
                url, "another store has taken the file's place", hint: "Remove the store and add it again.")
        }
        connection = fresh
        keys.forgetAll()
        try registerFunctions()
        try historyWriter?.attach(to: connection)
        try searchWriter?.attach(to: connection)
        search = shape.search.flatMap { SearchReader($0, attachingTo: connection) }
        isSuspect = false
    }

    /// Registers new comparisons of the application with the connection; returns the names of all.
    func teachComparisons() throws -> Set<String> {
        for collation in SQLFunctionLibrary.registeredCollations where !comparisons.contains(collation.name) {
            try QueryFunctions.register(collation, on: connection)
            comparisons.insert(collation.name)
        }
        return comparisons
    }

    /// Records a value that a trigger reports: table, entity number and key of the row, attribute, value.
    private func noteDerived(_ arguments: FunctionArguments) {
        guard derivedChanges != nil, let plan = plan(number: arguments.int64(1)),
            arguments.textBytes(0).elementsEqual(plan.mapping.table.utf8)
        else { return }
        let attribute = String(decoding: arguments.textBytes(3), as: UTF8.self)
        noteDerived(StoredValue(arguments, 4), of: attribute, plan: plan, key: arguments.int64(2))
    }

    /// Records the new value of a derived attribute of a row.
    func noteDerived(_ value: StoredValue, of attribute: String, plan: RowPlan, key: Int64) {
        guard case .attribute(let slot)? = plan.layout.places[attribute], slot < plan.layout.storedCount else { return }
        derivedChanges?.note(DerivedCell(value), slot: slot, of: RowAddress(binding: plan.binding, key: key))
    }

    /// Registers the functions that Apple's triggers and this library's statements call; all are innocuous, since
    /// triggers may only call such functions.
    private func registerFunctions() throws {
        for name in [
            "NSCoreDataDATriggerUpdatedAffectedObjectValue", "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
        ] {
            try connection.registerFunction(name, argumentCount: 5, flags: [.innocuous]) { [weak self] arguments in
                self?.noteDerived(arguments)
                return .null
            }
        }
        try connection.registerFunction("NSCoreDataNow", argumentCount: 0, flags: [.innocuous]) { _ in
            .real(Date().timeIntervalSinceReferenceDate)
        }
        try QueryFunctions.register(on: connection)
        try batchFunctions.register(on: connection)
        comparisons = []
        if let derivedColumns { try QueryFunctions.register(derivedColumns.derivations, on: connection) }
    }
}

extension SQLiteError {
    /// Whether synchronization failed, so that written pages may not be on the disk.
    fileprivate var meansFailedSynchronization: Bool {
        code == .inputOutputSync || code == .inputOutputFolderSync
    }
}
