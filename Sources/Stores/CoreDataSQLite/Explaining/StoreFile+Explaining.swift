import CoreDataSQL
import SQLiteKit

extension StoreFile {
    /// How a fetch of objects is carried out, and which of the candidates would help.
    ///
    /// The fetch is executed twice, and once more for each candidate in a copy in memory. `greatestCopy` limits the size of that
    /// copy in bytes: the rows of a larger file are not copied. The results are the candidates whose index SQLite uses and which
    /// reduce the work, the best first.
    /// - Throws: `NSCoreDataError` for a query without SQL, and the errors of the file.
    package func explain(
        _ query: FetchQuery, candidates: [IndexCandidate], greatestCopy: Int
    ) throws -> (explanation: QueryExplanation, helpful: [IndexTrialResult]) {
        let mapping = try mapping(of: query.binding.layout)
        let selection = SQLiteRowSelection(plans(of: mapping, withDescendants: query.includesSubentities))
        let compiled = try compiled { try $0.select(query, columns: selection.columns) }
        return try reporting("be read") {
            let explanation =
                try explanationBySearch { try $0.select(query, columns: selection.columns) }
                ?? QueryMeasurement(query: compiled, connection: connection).explanation()
            guard !candidates.isEmpty else { return (explanation, []) }
            let trial = try IndexTrial(of: self, greatestSize: greatestCopy)
            let baseline = try trial.baseline(compiled)
            let results = try candidates.compactMap { try trial.result(of: $0, compiled) }
            return (explanation, Self.helpful(results, baseline: baseline))
        }
    }

    /// How the fetch is carried out with the search index; nil where it does not ask that, or it is not in step.
    private func explanationBySearch(
        _ compile: (QueryCompiler) throws -> CompiledQuery
    ) throws -> QueryExplanation? {
        guard let search else { return nil }
        let narrowed = try compiled(searching: search.catalog, compile)
        guard narrowed.usesSearchIndex else { return nil }
        return try? search.inStep(connection) {
            try QueryMeasurement(query: narrowed, connection: connection).explanation()
        }
    }

    /// Those that make SQLite do less, the best first; of equal ones that with the fewest columns.
    private static func helpful(_ results: [IndexTrialResult], baseline: QueryExplanation) -> [IndexTrialResult] {
        let all = results.map(\.explanation) + [baseline]
        // Counts are compared with counts only.
        let effort = all.allSatisfy { $0.visits != nil } ? \QueryExplanation.countedEffort : \.plannedEffort
        return results.filter { $0.explanation[keyPath: effort] < baseline[keyPath: effort] }.sorted {
            ($0.explanation[keyPath: effort], $0.candidate.elements.count)
                < ($1.explanation[keyPath: effort], $1.candidate.elements.count)
        }
    }
}

extension QueryExplanation {
    /// The rows that are looked at, and once more those that are sorted.
    fileprivate var countedEffort: Int { rowsVisited + (isSorted ? rowsReturned : 0) }

    /// The cost of the plan if there are no rows to count: scans weigh most, then sorts, then temporary indexes.
    fileprivate var plannedEffort: Int {
        let scans = planLines.count { $0.contains("--SCAN ") }
        return 4 * scans + (isSorted ? 2 : 0) + (makesIndex ? 1 : 0)
    }
}
