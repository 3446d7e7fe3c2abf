import CoreDataSQL
import SQLiteKit

/// The search index, as one connection to the store reads it.
///
/// A query uses the index only if the index is up to date with the state of the store that the query sees.
final class SearchReader {
    /// The error of a query that used the index.
    struct Fault: Error {
        let error: SQLiteError
    }

    private let setup: SearchSetup
    /// The state that the connection's transaction sees, if it is known.
    private var held: StoreState?

    let catalog: SearchCatalog

    /// Attaches the index to a connection, read-only; returns nil if there is no usable index.
    init?(_ setup: SearchSetup, attachingTo connection: Connection) {
        self.setup = setup
        catalog = SearchCatalog(columns: setup.layout.columns, pairs: setup.layout.pairs)
        let file = DatabaseFile(path: SearchLayout.path(ofStore: setup.storePath))
        guard !setup.isFaulty, file.refusal(mayBeMissing: false) == nil else { return nil }
        let uri = setup.isImmutable ? file.uri(isImmutable: true) : file.uri(isImmutable: false) + "?mode=ro"
        do {
            try connection.execute("ATTACH ? AS \(SearchLayout.schema)", [.text(uri)])
            try connection.registerRanking(SQLFunctionLibrary.indexedRank) { counts, count, length in
                let counts = UnsafeBufferPointer(start: counts, count: Int(count))
                return SearchScore.score(counts: counts, length: length)
            }
            if try setup.layout.isMade(in: connection, schema: SearchLayout.schema) { return }
        } catch {
            // An index that cannot be read is not used.
        }
        detach(from: connection)
        return nil
    }

    /// Detaches the index from the connection, so that the connection that writes the index is the last one to close
    /// it.
    func detach(from connection: Connection) {
        _ = try? connection.execute("DETACH \(SearchLayout.schema)")
    }

    /// Records the state that the connection's transaction, which has just begun, sees.
    func beginTransaction(_ connection: Connection) {
        held = try? state(connection)
    }

    func endTransaction() { held = nil }

    private func state(_ connection: Connection) throws -> StoreState? {
        guard setup.isImmutable else { return try StoreState.ofSnapshot(connection, path: setup.storePath) }
        return StoreState(file: setup.storePath)
    }

    /// Runs a block that uses index and store; returns nil if the index is not up to date.
    ///
    /// - Throws: `Fault` for SQLite's errors, and other errors of the block.
    func inStep<Result>(_ connection: Connection, _ body: () throws -> Result) throws -> Result? {
        guard !setup.isFaulty else { return nil }
        do {
            if connection.isInTransaction {
                guard let held, try isInStep(connection, held) else { return nil }
                return try body()
            }
            try connection.begin(.deferred)
            defer { try? connection.rollBack() }
            guard let state = try state(connection), try isInStep(connection, state) else { return nil }
            return try body()
        } catch let error as SQLiteError where error.code != .interrupted {
            throw Fault(error: error)
        }
    }

    private func isInStep(_ connection: Connection, _ state: StoreState) throws -> Bool {
        try SearchRecord(connection, schema: SearchLayout.schema).isInStep(with: state)
    }

    /// Stops using the index after a query that failed only with the index.
    func turnOff(after fault: Fault) {
        // Errors of the predicate's own functions do not mean that the index is faulty.
        guard fault.error.code.primary != .error, fault.error.code.primary != .busy else { return }
        setup.turnOff(because: fault.error)
    }
}
