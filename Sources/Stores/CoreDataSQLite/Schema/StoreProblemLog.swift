import CoreDataSQL
import Synchronization

/// The problems found while a store is used, shared by all its connections.
final class StoreProblemLog: Sendable {
    private struct State {
        var problems: [String]
        var unknownEntityTables: Set<String>
    }

    private let state: Mutex<State>

    init(_ problems: [String], unknownEntityTables: Set<String>) {
        state = Mutex(State(problems: problems, unknownEntityTables: unknownEntityTables))
    }

    /// The problems, as sentences.
    var problems: [String] { state.withLock { $0.problems } }

    /// The tables with rows of unknown or abstract entities.
    var unknownEntityTables: Set<String> { state.withLock { $0.unknownEntityTables } }

    /// Records a problem, unless it is recorded already.
    func note(_ problem: String) {
        state.withLock { state in
            if state.problems.count < 1000, !state.problems.contains(problem) { state.problems.append(problem) }
        }
    }

    /// Records a table in which a fetch has found a row of an unknown or abstract entity.
    func noteUnknownEntityRow(in table: String) { state.withLock { _ = $0.unknownEntityTables.insert(table) } }
}
