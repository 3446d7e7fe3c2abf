import CoreDataSQL
import Synchronization

/// What is found while a store is used; for all its connections.
final class StoreProblemLog: Sendable {
    private struct State {
        var problems: [String]
        var unknownEntityTables: Set<String>
    }

    private let state: Mutex<State>

    init(_ problems: [String], unknownEntityTables: Set<String>) {
        state = Mutex(State(problems: problems, unknownEntityTables: unknownEntityTables))
    }

    /// What is not as it should be, as sentences.
    var problems: [String] { state.withLock { $0.problems } }

    /// The tables with rows that no object can be of.
    var unknownEntityTables: Set<String> { state.withLock { $0.unknownEntityTables } }

    /// Remembers something that is not as it should be; each once.
    func note(_ problem: String) {
        state.withLock { state in
            if state.problems.count < 1000, !state.problems.contains(problem) { state.problems.append(problem) }
        }
    }

    /// Remembers a table in which a fetch has met a row that no object can be of.
    func noteUnknownEntityRow(in table: String) { state.withLock { _ = $0.unknownEntityTables.insert(table) } }
}
