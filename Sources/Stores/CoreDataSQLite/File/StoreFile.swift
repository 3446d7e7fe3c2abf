import CoreDataSQL
import SQLiteKit

/// An open store: a connection, and how the model's entities lie in its tables.
///
/// Confined like its store: one thread at a time. Its further aspects read rows, follow relationships and save. The store
/// has one for itself, which writes; its readers (`ReaderPool`) are others on the same file.
package final class StoreFile {
    private(set) var connection: Connection
    /// What all connections to the file have in common.
    let shape: StoreShape
    let external: ExternalData
    package let isReadOnly: Bool
    package let reasonForReadOnly: String?

    let copy: PrivateCopy?
    /// Opens the file again with the same settings; nil for a file that is never written.
    var reconnect: (() throws -> Connection)?
    /// The readers beside this one; nil where the file has to be read by one thread at a time, and of a reader.
    var pool: ReaderPool?
    /// Finds out whether the file can still be read; nil for a store in memory, and of a reader. Set before the store is used.
    var probe: FileProbe?
    /// To whom a reader is given back, while it is checked out.
    package var ticket: ReaderTicket?
    /// Whether the file has failed in a way that what is kept of it in memory may not be what is on the disk.
    private(set) var isSuspect = false
    /// What the functions of SQL need that batch requests call.
    let batchFunctions = BatchFunctions()
    /// The statements that fill faults.
    let faultQueries = FaultQueries()
    /// The application's comparisons that the connection knows as collations.
    private var comparisons: Set<String> = []
    /// What triggers and derivations have written during the present save; nil outside of one.
    var derivedChanges: DerivedChanges?
    /// An identity that the file does not have yet; the next save writes it.
    var unrecordedIdentifier: String?
    /// What the file was when it last proved to be the store that was opened.
    var verified = VerifiedState()
    /// The metadata as this store has last read or written it.
    var knownMetadata = KnownMetadata()
    /// Whether saves are parts of one transaction that has begun.
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
    /// Makes the watch that reports writes to a file; nil if the system has no watches left.
    var makeWatch: (_ path: String, _ written: @escaping @Sendable () -> Void) -> FileWatch? = FileWatch.init
    /// The number of others' commits when it was last asked whether there are new ones.
    var seenVersion: Int64 = 0
    /// How history numbers the properties of the model's entities, by the numbers of their layouts.
    private(set) lazy var historyProperties = HistoryProperties.all(of: layouts)
    /// Gives out the keys of new rows.
    private(set) lazy var keys = SQLiteKeyAllocator(shape)

    var url: URL { shape.url }
    var schema: StoreSchema { shape.schema }
    var layouts: ModelLayout { shape.layouts }
    var derivedColumns: DerivedColumns? { shape.derivedColumns }
    var store: any BackendDelegate { shape.store }
    var lacksUniqueIndex: Bool { shape.lacksUniqueIndex }
    /// What is not as it should be, as sentences.
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

    /// A reader of a file that is open already.
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

    /// The most rows that a file of the present size can have.
    ///
    /// Damaged pages can lead to each other so that one file seems to hold more rows than there is time to read.
    func mostRows() throws -> Int {
        let pages = try connection.pragma("page_count")?.integer ?? 0
        let size = try connection.pragma("page_size")?.integer ?? 0
        return Int(clamping: max(0, pages) * max(0, size))
    }

    /// Throws once more rows have come than the file can have; `allowed` remembers how many those are.
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

    /// The plan for rows that bear an entity number; nil for a number that no row should bear.
    func plan(number: Int64) -> RowPlan? { shape.plan(number: number) }

    func mapping(of layout: EntityLayout) throws -> EntityMapping {
        guard let mapping = schema.entity(named: layout.entity.name ?? "") else {
            throw CoreDataError.make(
                NSCoreDataError, "The store does not keep entity '\(layout.entity.name ?? "")'.",
                hint: "Its configuration leaves the entity out.")
        }
        return mapping
    }

    /// The number that the file gives to an entity of the model; -1 for one that it does not keep.
    func entityNumber(ofLayout number: Int) -> Int64 { shape.entityNumber(ofLayout: number) }

    /// The plans of an entity and its descendants, as far as the store keeps them.
    func plans(of mapping: EntityMapping, withDescendants: Bool) -> [RowPlan] {
        shape.plans(of: mapping, withDescendants: withDescendants)
    }

    /// Runs a block whose SQLite errors are to say what was being done.
    func reporting<Result>(_ action: String, _ body: () throws -> Result) throws -> Result {
        do {
            try reopenIfSuspect()
            return try body()
        } catch let error as SQLiteError {
            if error.meansFailedSynchronization || ticket != nil && error.code != .interrupted { isSuspect = true }
            throw StoreErrors.cocoaError(error, at: url, during: action)
        }
    }

    /// Runs a block in a transaction of its own, or as a part of the one that has begun.
    func writing<Result>(_ body: () throws -> Result) throws -> Result {
        isGroupingSaves ? try connection.savepoint(body) : try indexedTransaction(body)
    }

    /// Runs a block in a transaction that writes, and updates the search index with it.
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

    /// Opens a suspect file again, so that what is read and built on from here on comes from the disk.
    private func reopenIfSuspect() throws {
        guard isSuspect, let reconnect else { return }
        // With the last connection the index of the log is removed, which is rebuilt from the disk.
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

    /// The names of the application's comparisons, after the connection has been taught the new ones.
    func teachComparisons() throws -> Set<String> {
        for collation in SQLFunctionLibrary.registeredCollations where !comparisons.contains(collation.name) {
            try QueryFunctions.register(collation, on: connection)
            comparisons.insert(collation.name)
        }
        return comparisons
    }

    /// Notes a value that a trigger reports: table, entity number and key of the row, the attribute, the value.
    private func noteDerived(_ arguments: FunctionArguments) {
        guard derivedChanges != nil, let plan = plan(number: arguments.int64(1)),
            arguments.textBytes(0).elementsEqual(plan.mapping.table.utf8)
        else { return }
        let attribute = String(decoding: arguments.textBytes(3), as: UTF8.self)
        noteDerived(StoredValue(arguments, 4), of: attribute, plan: plan, key: arguments.int64(2))
    }

    /// Notes what a row has in the column of a derived attribute now.
    func noteDerived(_ value: StoredValue, of attribute: String, plan: RowPlan, key: Int64) {
        guard case .attribute(let slot)? = plan.layout.places[attribute], slot < plan.layout.storedCount else { return }
        derivedChanges?.note(DerivedCell(value), slot: slot, of: RowAddress(binding: plan.binding, key: key))
    }

    /// The functions that Apple's triggers and our statements call; harmless ones, so that triggers may call them.
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
    /// Whether the system could not say that what was written is on the disk.
    fileprivate var meansFailedSynchronization: Bool {
        code == .inputOutputSync || code == .inputOutputFolderSync
    }
}
