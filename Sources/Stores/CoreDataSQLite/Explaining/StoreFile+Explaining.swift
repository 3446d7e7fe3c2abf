import CoreDataSQL
import SQLiteKit

extension StoreFile {
    /// Explains how a fetch of objects is carried out, and which index candidates would help.
    ///
    /// The fetch is executed twice, and once more for each candidate in a copy in memory. `greatestCopy` limits the
    /// size of that copy in bytes: of a larger file, no rows are copied. The results are the candidates whose index
    /// SQLite uses and which reduce the work, the best first.
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

    /// Explains the fetch with the search index; nil if the fetch does not use it, or the index is not up to date.
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

    /// Returns the candidates that reduce SQLite's work, the best first; among equal ones the one with fewest columns.
    private static func helpful(_ results: [IndexTrialResult], baseline: QueryExplanation) -> [IndexTrialResult] {
        let all = results.map(\.explanation) + [baseline]
        // Either all are compared by counts, or all by plans.
        let effort = all.allSatisfy { $0.visits != nil } ? \QueryExplanation.countedEffort : \.plannedEffort
        return results.filter { $0.explanation[keyPath: effort] < baseline[keyPath: effort] }.sorted {
            ($0.explanation[keyPath: effort], $0.candidate.elements.count)
                < ($1.explanation[keyPath: effort], $1.candidate.elements.count)
        }
    }
}

extension QueryExplanation {
    /// The number of visited rows, plus the number of sorted rows.
    fileprivate var countedEffort: Int { rowsVisited + (isSorted ? rowsReturned : 0) }

    /// The cost estimated from the plan, without counts: scans weigh most, then sorts, then automatic indexes.
    fileprivate var plannedEffort: Int {
        let scans = planLines.count { $0.contains("--SCAN ") }
        return 4 * scans + (isSorted ? 2 : 0) + (makesIndex ? 1 : 0)
    }
}
