import CoreDataSQL
import SQLiteKit

/// The search index as one connection to the store reads it.
///
/// A query asks the index only while that is in step with the very state of the store that the query sees.
final class SearchReader {
    /// What went wrong in a query that asked the index.
    struct Fault: Error {
        let error: SQLiteError
    }

    private let setup: SearchSetup
    /// The state that the transaction of the connection shows, if it is known.
    private var held: StoreState?

    let catalog: SearchCatalog

    /// Attaches the index to a connection, read-only; nil without a usable index.
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

    /// Takes the index from the connection, so that who writes it is the last to close it.
    func detach(from connection: Connection) {
        _ = try? connection.execute("DETACH \(SearchLayout.schema)")
    }

    /// Notes which state the transaction shows that the connection has just begun.
    func beginTransaction(_ connection: Connection) {
        held = try? state(connection)
    }

    func endTransaction() { held = nil }

    private func state(_ connection: Connection) throws -> StoreState? {
        guard setup.isImmutable else { return try StoreState.ofSnapshot(connection, path: setup.storePath) }
        return StoreState(file: setup.storePath)
    }

    /// Runs a body that asks the index and reads the store; nil where they are not in step.
    ///
    /// - Throws: `Fault` for what SQLite says, and what the body throws else.
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

    /// Does without the index after a query that only failed with it.
    func turnOff(after fault: Fault) {
        // What the predicate's own functions refuse says nothing of the index.
        guard fault.error.code.primary != .error, fault.error.code.primary != .busy else { return }
        setup.turnOff(because: fault.error)
    }
}
