import CoreDataRecordStores
import CoreDataSQL
import PostgresKit

extension ValueQuery {
    /// The expressions that are evaluated for each row.
    fileprivate var recordExpressions: [NSExpression] {
        guard let grouping else { return columns.map(\.expression) + orderings.map(\.expression) }
        return grouping.keys.map(\.expression) + grouping.aggregates.map(\.argument.expression)
    }
}

extension PostgresSession {
    /// Passes the values of a query to `body`; the server computes them if its results equal those in memory.
    func values(_ query: ValueQuery, _ body: (ValueTable) -> Void) throws {
        let table = try shape.table(of: query.binding.layout)
        guard let compiled = try shape.compiled({ try $0.pushedValues(query, schema.types) }) else {
            return body(try calculated(query, table))
        }
        try reporting("be read") {
            body(
                try PostgresValueReader(shape, query: query, shapes: compiled.shapes).table(
                    try self.query(compiled.query)))
        }
    }

    /// Returns the values computed in memory from the rows that match the query's predicate.
    private func calculated(_ query: ValueQuery, _ table: RowTable) throws -> ValueTable {
        try reporting("be read") {
            try readingOneState {
                let runs = try rows(query.rows, table)
                let rows = RowOrder.byKey(runs).flatMap { run in
                    run.range.map { RowSnapshot(slab: run.slab, index: $0) }
                }
                let records = ServerRecords(self)
                records.prefetch(RelationshipPaths(query.recordExpressions).paths, from: rows)
                let table = try RecordValues(query, rows: rows, of: records).table()
                try records.requireRead()
                return table
            }
        }
    }
}
