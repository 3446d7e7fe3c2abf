import CoreDataSQL
import PostgresKit

extension PostgresStore: ServerExplaining {
    package func explain(_ query: FetchQuery, isCarriedOut: Bool) throws -> ServerExplanation {
        try session.answering { try session.explain(query, isCarriedOut: isCarriedOut) }
    }
}

extension PostgresSession {
    /// Explains how a fetch of rows is carried out, from one snapshot of the store, in a read-only transaction.
    fileprivate func explain(_ query: FetchQuery, isCarriedOut: Bool) throws -> ServerExplanation {
        let table = try shape.table(of: query.binding.layout)
        let selection = shape.selection(of: table.mapping, withDescendants: query.includesSubentities)
        let outline = try shape.compiled { try $0.outline(query, columns: selection.columns, schema.types) }
        return try reporting("be asked") {
            try readingOneState {
                var outcome: ServerExplanation.Outcome?
                if isCarriedOut {
                    let before = shape.evaluations.rows
                    let count = try rows(query, table).rowCount
                    outcome = .init(answered: count, evaluated: shape.evaluations.rows - before)
                }
                var asked = [outline.pushed.flagged ?? outline.pushed.query]
                if outline.pushed.flagged != nil, outcome?.evaluated ?? 0 > 0 { asked.append(outline.pushed.query) }
                let questions = try asked.map { query in
                    ServerExplanation.Question(
                        query: query, plan: try plan(of: query, isCarriedOut: isCarriedOut),
                        indexes: schema.usedIndexes.filter(\.isFolded), schema.dialect)
                }
                return ServerExplanation(
                    outline: outline, questions: questions, outcome: outcome,
                    missingIndexes: try missingIndexes(query, selection: selection, asked: asked[0]))
            }
        }
    }

    /// Returns the statements that create the expression indexes that the store lacks and that would change the fetch's
    /// query.
    private func missingIndexes(
        _ query: FetchQuery, selection: PostgresRowSelection, asked: CompiledQuery
    ) throws -> [String] {
        let present = schema.usedIndexes
        return try schema.expressionIndexes.filter { index in
            guard !present.contains(index) else { return false }
            let types = ColumnTypes(schema.store, indexes: present + [index])
            let pushed = try shape.compiled { try $0.pushed(query, columns: selection.columns, types) }
            return (pushed.flagged ?? pushed.query) != asked
        }.flatMap { index in
            (index.isFolded ? [schema.creation(index)] : schema.replacement(index)).map { statement in
                statement.replacing("CREATE INDEX", with: "CREATE INDEX CONCURRENTLY", maxReplacements: 1)
                    .replacing("DROP INDEX", with: "DROP INDEX CONCURRENTLY", maxReplacements: 1)
            }
        }
    }

    private func plan(of query: CompiledQuery, isCarriedOut: Bool) throws -> ServerPlan {
        let options = isCarriedOut ? "ANALYZE, TIMING OFF, FORMAT JSON" : "FORMAT JSON"
        let result = try self.query(
            "EXPLAIN (\(options)) \(query.sql)", query.parameters.map { PostgresParameter($0) })
        return ServerPlan(json: result.rowCount == 1 ? result.text(0, 0) ?? "" : "")
    }
}
