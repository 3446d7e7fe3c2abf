import CoreDataSQL
import SQLiteKit

/// Keeps a store's search index in step with what is written to the store.
///
/// Triggers of the writing connection tell which texts a transaction changes. Before its commit these are entered in the
/// index, whose transaction ends after it and records the state that the store has got. In between the index is of a state
/// that is no longer visible, and is not used; writers of the store wait for it meanwhile.
///
/// Invariants:
/// 1. The index says that it is in step with a state of the store only if it has all texts of that state.
/// 2. Nothing that goes wrong here fails a transaction of the store: the index is out of step then, and not used.
///
/// Confined like its store.
final class SearchWriter {
    private let setup: SearchSetup
    private let fileSystem: String?
    private var file: SearchFile?
    /// The keys of the rows that the present transaction has changed, by the number of the column, or of the pair behind
    /// the columns.
    private var changed: [Int: Set<Int64>] = [:]
    /// Whether the index has the texts of the present transaction of the store.
    private var isPrepared = false
    /// The number of others' commits with which the index was in step, though its state cannot be recorded.
    private var verified: Int64?
    /// What makes the index of a large store beside the program, and what was changed since it began.
    private var building: (SearchBuilding, backlog: SearchBacklog)?
    /// Before this the store is not compared with the index again.
    private var nextComparison = ContinuousClock.now

    private static let function = "CoreDataSearchChanged"
    /// How much longer than it takes one waits before the store is compared with the index again.
    private static let rest = 20
    /// Greater stores are not compared while a caller waits for them to be opened.
    private static let largeRowCount: Int64 = 5_000

    init(_ setup: SearchSetup, fileSystem: String?) {
        self.setup = setup
        self.fileSystem = fileSystem
    }

    // MARK: Beginning and end

    /// Has a connection tell of the texts that it changes, and brings the index in step.
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

    /// Has the store's present connection tell of the texts that it changes.
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

    /// Records the state that the store's file has when it is closed, so that the next one to open it finds the index in step.
    func close(_ connection: Connection) {
        defer {
            building?.0.stop()
            building = nil
            file?.close()
            file = nil
        }
        guard let file, !setup.isFaulty, !connection.isInTransaction else { return }
        // What cannot be recorded is compared when the store is opened.
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

    /// Enters what the present transaction of the store has changed; called before its commit.
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

    /// The rows with which the index is in step that was made meanwhile, those of the present transaction among them; nil
    /// while it is being made, and where they are not known.
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

    /// Ends the index's transaction after that of the store, and brings the index in step if it is not.
    func finish(_ connection: Connection, wasCommitted: Bool) {
        if wasCommitted { building?.backlog.add(changed) }
        changed = [:]
        guard let file, !setup.isFaulty else { return }
        guard isPrepared, wasCommitted else {
            file.rollBack()
            guard wasCommitted else { return }
            // Own commits do not raise the number of others', and this one the index does not have.
            verified = nil
            return bringInStep(connection)
        }
        isPrepared = false
        guarding {
            do {
                let state = StoreState(connection, path: setup.storePath)
                // No other connection has committed since, so this is the state that the transaction made.
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

    /// The number of others' commits when the present transaction began.
    private var ownVersion: Int64?

    private static func foreignVersion(_ connection: Connection) throws -> Int64 {
        try connection.pragma("data_version")?.integer ?? 0
    }

    // MARK: Large stores

    /// Brings an index in step that was made beside the program, by what was changed meanwhile; false while it is being made.
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

    /// Compares the store with the index where that is not in step, unless that was done just now.
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

    /// Records the state of a file that was written to just now, when a later write would be seen in its times.
    ///
    /// Not worth a wait where there is nothing to find.
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

    /// Carries out what may fail without harm to the store.
    private func guarding(_ body: () throws -> Void) {
        do {
            try body()
        } catch let error as SQLiteError where error.code.primary == .busy {
            // Another brings the index in step, or writes the store: it is out of step until the next look.
        } catch {
            setup.turnOff(because: error)
            drop()
        }
    }

    /// Abandons the index and removes its files, so that it is rebuilt when the store is opened the next time.
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
