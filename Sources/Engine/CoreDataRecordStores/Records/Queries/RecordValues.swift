import CoreDataStore

/// Executes a value query on rows.
package struct RecordValues {
    private let source: any RecordFinding
    private let query: ValueQuery
    private let rows: [RowSnapshot]

    /// - Throws: `NSCoreDataError` if stores do not support the predicate, and the errors of evaluating it.
    init(_ query: ValueQuery, of tables: RecordTables, storeIdentifier: String) throws {
        let runs = try RecordQuery(query.rows, of: tables, storeIdentifier: storeIdentifier).runs()
        self.init(
            query, rows: runs.flatMap { run in run.range.map { RowSnapshot(slab: run.slab, index: $0) } }, of: tables)
    }

    /// - Parameter rows: the rows that match the query's predicate, in the order of their keys.
    package init(_ query: ValueQuery, rows: [RowSnapshot], of source: any RecordFinding) {
        self.query = query
        self.rows = rows
        self.source = source
    }

    /// The result of the query.
    ///
    /// - Throws: the errors of evaluating expressions.
    package func table() throws -> ValueTable {
        let selection = ValueSelection(query: query)
        guard let grouping = query.grouping else { return try plain(selection) }
        let keys = grouping.keys.map { RecordColumn($0, query: query, source: source) }
        let arguments = grouping.aggregates.map { RecordColumn($0.argument, query: query, source: source) }
        var values = GroupedValues(grouping)
        for row in rows {
            try values.add(
                keys: keys.map { try $0.value(of: row) }, arguments: arguments.map { try $0.value(of: row) })
        }
        return try selection.table(ofGroups: try values.variables())
    }

    private func plain(_ selection: ValueSelection) throws -> ValueTable {
        let columns = query.columns.map { RecordColumn($0, query: query, source: source) }
        let table = ValueTable(width: columns.count)
        for number in try chosen(selection, columns) {
            for column in columns { table.append(try column.cell(of: rows[number])) }
        }
        return table
    }

    private func chosen(_ selection: ValueSelection, _ columns: [RecordColumn]) throws -> [Int] {
        guard query.isDistinct || !query.orderings.isEmpty else { return Array(selection.window(of: rows.count)) }
        let order = query.orderings.map {
            RecordColumn(
                ValueColumn(name: $0.name, expression: $0.expression, content: .calculation(.undefinedAttributeType)),
                query: query, source: source)
        }
        let candidates = try rows.map { row in
            ValueSelection.Candidate(
                identity: query.isDistinct ? try columns.map { try $0.identity(of: row) } : [],
                order: try order.map { Self.sortKey(try $0.value(of: row)) },
                tie: query.isDistinct && selection.hasWindow
                    ? try columns.map { Self.sortKey(try $0.value(of: row)) } : [])
        }
        return try selection.chosen(candidates)
    }

    /// Converts a value to a sort key; a record is sorted by its key.
    private static func sortKey(_ value: Any?) -> SortKey {
        switch value {
        case let record as StoredRecord: .integer(record.key)
        case let identifier as any RecordIdentifier: .integer(identifier.key)
        default: SortKey(value)
        }
    }
}
