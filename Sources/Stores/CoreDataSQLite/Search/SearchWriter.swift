import CoreDataSQL
import SQLiteKit

/// Updates a store's search index with each write to the store.
///
/// Triggers of the writing connection report the texts that a transaction changes. Before the transaction's commit
/// these are entered in the index, whose own transaction ends after it and records the new state of the store. In
/// between, the recorded state is no longer that of the store, so the index is not used; other writers of the store
/// wait meanwhile.
///
/// Invariants:
/// 1. The index records a state of the store only if it has all texts of that state.
/// 2. No failure here makes a transaction of the store fail: the index is then out of date, and not used.
///
/// Used by one thread at a time, like its store.
final class SearchWriter {
    private let setup: SearchSetup
    private let fileSystem: String?
    private var file: SearchFile?
    /// The keys of the rows that the current transaction has changed, by the number of the column; pairs of columns
    /// have the numbers after those of the columns.
    private var changed: [Int: Set<Int64>] = [:]
    /// Whether the index has the texts of the store's current transaction.
    private var isPrepared = false
    /// SQLite's data version at which the index was up to date, even if its state could not be recorded.
    private var verified: Int64?
    /// The background building of a large store's index, and the rows changed since it began.
    private var building: (SearchBuilding, backlog: SearchBacklog)?
    /// The time before which the store is not compared with the index again.
    private var nextComparison = ContinuousClock.now

    private static let function = "CoreDataSearchChanged"
    /// The pause after a comparison, as a multiple of the comparison's duration.
    private static let rest = 20
    /// Stores with more rows are not compared while a caller waits for the store to open.
    private static let largeRowCount: Int64 = 5_000

    init(_ setup: SearchSetup, fileSystem: String?) {
        self.setup = setup
        self.fileSystem = fileSystem
    }

    // MARK: Beginning and end

    /// Makes a connection report the texts that it changes, and updates the index or begins to build it.
    func begin(_ connection: Connection) throws {
        try attach(to: connection)
        guarding { try open() }
        guard try isLarge(connection), let file, !setup.isFaulty, !isInStep(connection, file) else {
            return bringInStep(connection)
        }
        let backlog = SearchBacklog(version: try Self.foreignVersion(connection))
        building = (SearchBuilding(setup, fileSystem: fileSystem), backlog)
    }

    private func isLarge(_ connection: Connection) throws -> Bool {
        try Set(setup.layout.columns.map(\.table) + setup.layout.pairs.map(\.table)).contains { table in
            let greatest = try connection.value("SELECT max(Z_PK) FROM main.\(SQLIdentifier.quoted(table))")
            return (greatest?.integer ?? 0) > Self.largeRowCount
        }
    }

    /// Makes the store's current connection report the texts that it changes.
    func attach(to connection: Connection) throws {
        verified = nil
        building?.backlog.forget()
        try connection.registerFunction(Self.function, argumentCount: 2, flags: [.innocuous]) { [unowned self] in
            changed[Int(truncatingIfNeeded: $0.int64(0)), default: []].insert($0.int64(1))
            return .null
        }
        for statement in SearchTriggers(setup.layout, calling: Self.function).statements {
            try connection.execute(statement)
        }
    }

    private func open() throws {
        file?.close()
        file = nil
        verified = nil
        file = try SearchFile(setup.layout, storePath: setup.storePath, fileSystem: fileSystem)
    }

    /// Records the state of the store's file at closing, so that the index is up to date when the store is opened
    /// again.
    func close(_ connection: Connection) {
        defer {
            building?.0.stop()
            building = nil
            file?.close()
            file = nil
        }
        guard let file, !setup.isFaulty, !connection.isInTransaction else { return }
        // If recording fails, the store is compared with the index when it is opened again.
        try? recordFile(connection, file)
    }

    private func recordFile(_ connection: Connection, _ file: SearchFile) throws {
        let before = connection.logState()
        let result = try connection.checkpoint(.passive)
        guard result.logged == result.checkpointed else { return }
        connection.setBusyTimeout(.zero)
        try connection.begin(.immediate)
        defer { try? connection.rollBack() }
        guard connection.logState() == before, isInStep(connection, file) else { return }
        if StoreState(file: setup.storePath)?.isSettled == false {
            usleep(UInt32(StoreState.grain / 1_000))
        }
        guard let state = StoreState(file: setup.storePath), state.isSettled, try file.record().file != state.file
        else { return }
        try file.connection.execute("UPDATE state SET file = ?", [state.file.map(Value.blob) ?? .null])
    }

    // MARK: Transactions

    /// Enters the changes of the store's current transaction; called before its commit.
    func prepare(_ connection: Connection) {
        isPrepared = false
        guard !setup.isFaulty else { return drop() }
        guarding {
            if file?.hasMoved != false { try open() }
            guard let file else { return }
            do {
                try file.begin()
                let isInStep = isInStep(connection, file)
                guard let all = isInStep ? changed : backlog(ownVersion) else { return file.rollBack() }
                for (number, keys) in all {
                    try enter(keys.sorted(), number: number, connection: connection, file: file)
                }
                isPrepared = true
            } catch {
                file.rollBack()
                throw error
            }
        }
    }

    /// Returns the rows that bring a finished index up to date, including those of the current transaction; nil while
    /// the index is being built, or if they are not known.
    private func backlog(_ version: Int64?) -> [Int: Set<Int64>]? {
        guard let (work, known) = building, work.isFinished, work.isComplete, known.version == version else {
            return nil
        }
        var backlog = known
        backlog.add(changed)
        return backlog.changed
    }

    private func enter(_ keys: [Int64], number: Int, connection: Connection, file: SearchFile) throws {
        let (columns, pairs) = (setup.layout.columns, setup.layout.pairs)
        guard number >= columns.count else {
            return try enter(keys, column: columns[number], number: number, connection: connection, file: file)
        }
        guard pairs.indices.contains(number - columns.count) else { return }
        try enter(
            keys, pair: pairs[number - columns.count], number: number - columns.count, connection: connection,
            file: file)
    }

    private func enter(
        _ keys: [Int64], column: SearchColumn, number: Int, connection: Connection, file: SearchFile
    ) throws {
        let statement = try connection.prepare(
            "SELECT CAST(\(SQLIdentifier.quoted(column.column)) AS TEXT) FROM main."
                + "\(SQLIdentifier.quoted(column.table)) WHERE Z_PK = ?")
        for key in keys {
            try statement.bind(key, at: 1)
            let text = try statement.step() ? statement.value(0).text : nil
            statement.reset()
            try file.replace(number, key, by: text.map(SearchFile.folded))
        }
    }

    private func enter(
        _ keys: [Int64], pair: SearchPair, number: Int, connection: Connection, file: SearchFile
    ) throws {
        let statement = try connection.prepare(
            "SELECT \(SQLIdentifier.quoted(pair.x)), \(SQLIdentifier.quoted(pair.y)) FROM main."
                + "\(SQLIdentifier.quoted(pair.table)) WHERE Z_PK = ?")
        for key in keys {
            try statement.bind(key, at: 1)
            let place = try statement.step() ? SearchPlace(statement.value(0), statement.value(1)) : nil
            statement.reset()
            try file.replace(pair: number, key, by: place)
        }
    }

    /// Ends the index's transaction after the store's, and updates the index if it is out of date.
    func finish(_ connection: Connection, wasCommitted: Bool) {
        if wasCommitted { building?.backlog.add(changed) }
        changed = [:]
        guard let file, !setup.isFaulty else { return }
        guard isPrepared, wasCommitted else {
            file.rollBack()
            guard wasCommitted else { return }
            // SQLite's data version does not count this connection's own commits, and the index lacks this one.
            verified = nil
            return bringInStep(connection)
        }
        isPrepared = false
        guarding {
            do {
                let state = StoreState(connection, path: setup.storePath)
                // If no other connection has committed since, this is the state that the transaction made.
                let version = try Self.foreignVersion(connection)
                let isOwn = version == ownVersion
                try file.commit(inStepWith: isOwn ? state : nil)
                verified = isOwn ? version : nil
                if isOwn { building = nil }
            } catch {
                file.rollBack()
                throw error
            }
        }
    }

    /// SQLite's data version when the current transaction began.
    private var ownVersion: Int64?

    private static func foreignVersion(_ connection: Connection) throws -> Int64 {
        try connection.pragma("data_version")?.integer ?? 0
    }

    // MARK: Large stores

    /// Updates an index built in the background with the changes made meanwhile; returns false while it is being built.
    private func endBuilding(_ connection: Connection) -> Bool {
        guard let (work, _) = building else { return true }
        guard work.isFinished else { return false }
        guard let file, !setup.isFaulty, !connection.isInTransaction else { return true }
        guarding {
            if isInStep(connection, file) {
                building = nil
                return
            }
            try catchUp(connection, file)
        }
        return true
    }

    private func catchUp(_ connection: Connection, _ file: SearchFile) throws {
        try connection.begin(.deferred)
        defer { try? connection.rollBack() }
        guard let state = try StoreState.ofSnapshot(connection, path: setup.storePath),
            let changed = backlog(try Self.foreignVersion(connection))
        else { return }
        try file.begin()
        do {
            for (number, keys) in changed {
                try enter(keys.sorted(), number: number, connection: connection, file: file)
            }
            try file.commit(inStepWith: state)
            building = nil
        } catch {
            file.rollBack()
            throw error
        }
    }

    // MARK: In step

    private func isInStep(_ connection: Connection, _ file: SearchFile) -> Bool {
        guard let version = try? Self.foreignVersion(connection), let record = try? file.record() else { return false }
        ownVersion = version
        if version == verified { return true }
        guard let state = StoreState(connection, path: setup.storePath), record.isInStep(with: state) else {
            return false
        }
        verified = version
        return true
    }

    /// Compares the store with the index if the index is out of date, unless they were compared recently.
    func bringInStep(_ connection: Connection) {
        guard let file, !setup.isFaulty, !connection.isInTransaction else { return }
        if building != nil {
            guard endBuilding(connection) else { return }
            building = nil
        }
        guarding {
            for _ in 0..<3 {
                guard !isInStep(connection, file), ContinuousClock.now >= nextComparison else { return }
                let start = ContinuousClock.now
                let version = try Self.foreignVersion(connection)
                let state = try SearchComparison(file: file, storePath: setup.storePath).run()
                let end = ContinuousClock.now
                nextComparison = end + (end - start) * Self.rest
                let present = StoreState(connection, path: setup.storePath)
                guard let state, state.log == present?.log, state.file == present?.file,
                    try Self.foreignVersion(connection) == version
                else {
                    nextComparison = end
                    continue
                }
                verified = version
                try settle(state, connection: connection, file: file)
            }
        }
    }

    /// Waits until a later write would change the file's timestamps, then records the state of the recently written
    /// file.
    ///
    /// Does not wait if the index is empty.
    private func settle(_ state: StoreState, connection: Connection, file: SearchFile) throws {
        guard !state.isSettled, try !file.isEmpty() else { return }
        usleep(UInt32(StoreState.grain / 1_000))
        guard let present = StoreState(connection, path: setup.storePath), present.isSettled, present.log == nil,
            present.file == state.file, try Self.foreignVersion(connection) == verified
        else { return }
        try file.begin()
        try file.commit(inStepWith: present)
    }

    // MARK: Faults

    /// Runs a block whose failure does not harm the store.
    private func guarding(_ body: () throws -> Void) {
        do {
            try body()
        } catch let error as SQLiteError where error.code.primary == .busy {
            // Another connection updates the index or writes the store: the index stays out of date until the next
            // check.
        } catch {
            setup.turnOff(because: error)
            drop()
        }
    }

    /// Stops using the index and removes its files, so that it is rebuilt when the store is opened again.
    private func drop() {
        building?.0.stop()
        building = nil
        guard let file else { return }
        file.rollBack()
        file.close()
        self.file = nil
        changed = [:]
        SearchLayout.removeFiles(ofStore: setup.storePath)
    }
}
