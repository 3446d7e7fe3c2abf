import CoreDataSQL
import SQLiteKit

/// A copy of a store in memory in which indexes are tried; the store's file is only read.
///
/// A file of up to `greatestSize` bytes is copied with its rows. Of a larger file, only the table definitions and
/// SQLite's statistics are copied: SQLite then plans as it would in the file, but nothing can be measured.
struct IndexTrial {
    private let connection: Connection
    private let hasRows: Bool
    private let file: StoreFile

    init(of file: StoreFile, greatestSize: Int) throws {
        self.file = file
        connection = try Connection.inMemory()
        let source = file.connection
        let size = try (source.pragma("page_count")?.integer ?? 0) * (source.pragma("page_size")?.integer ?? 0)
        hasRows = size <= Int64(greatestSize)
        if hasRows { try source.backUp(to: connection) } else { try Self.copyDefinitions(of: source, to: connection) }
        try QueryFunctions.register(on: connection)
        for collation in SQLFunctionLibrary.registeredCollations {
            try QueryFunctions.register(collation, on: connection)
        }
    }

    /// Explains the fetch in the copy, without further indexes.
    func baseline(_ query: CompiledQuery) throws -> QueryExplanation {
        let measurement = QueryMeasurement(query: query, connection: connection)
        return hasRows ? try measurement.explanation() : try measurement.planned()
    }

    /// Explains the fetch with an index in the copy; nil if a column is missing, its name is taken or it is not used.
    func result(of candidate: IndexCandidate, _ query: CompiledQuery) throws -> IndexTrialResult? {
        guard let index = definition(of: candidate) else { return nil }
        let isTaken = try connection.catalog().indexes.contains { $0.name.lowercased() == index.name.lowercased() }
        guard !isTaken else { return nil }
        try connection.execute(index.sql)
        defer { try? connection.execute("DROP INDEX \(SQLIdentifier.quoted(index.name))") }
        let explanation = try baseline(query)
        guard explanation.planLines.contains(where: { $0.contains(" \(index.name)") }) else { return nil }
        return IndexTrialResult(candidate: candidate, sql: index.sql, explanation: explanation, isMeasured: hasRows)
    }

    private func definition(of candidate: IndexCandidate) -> IndexDefinition? {
        guard let mapping = file.schema.entity(named: candidate.entity) else { return nil }
        let elements = candidate.elements.compactMap { element in
            (mapping.attribute(at: element.property)?.column ?? mapping.toOne(element.property)?.column).map {
                IndexDefinition.Element(column: $0, isAscending: element.isAscending)
            }
        }
        guard elements.count == candidate.elements.count, !elements.isEmpty else { return nil }
        return IndexDefinition(
            name: "Z_\(candidate.entity)_\(candidate.name)", table: mapping.table, isUnique: false, elements: elements)
    }

    private static func copyDefinitions(of source: Connection, to copy: Connection) throws {
        let catalog = try source.catalog()
        for table in catalog.tables where !table.isVirtual { try copy.execute(table.sql) }
        for index in catalog.indexes { try copy.execute(index.sql) }
        guard try !source.rows("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_stat1'").isEmpty else { return }
        try copy.execute("ANALYZE")
        for row in try source.rows("SELECT tbl, idx, stat FROM sqlite_stat1 LIMIT 100000") {
            try copy.execute("INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)", row)
        }
        // Makes SQLite load the copied statistics.
        try copy.execute("ANALYZE sqlite_master")
    }
}
