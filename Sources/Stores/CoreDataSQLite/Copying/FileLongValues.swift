import CoreDataSQL
import SQLiteKit

/// The values of a table's rows that are read by parts.
///
/// SQLite reads a value whole where a statement gives it, so the statement gives a number instead. What kind of value stands there is
/// asked of rows that have a number, as those of another program may, too.
struct FileLongValues {
    private let definition: TableDefinition
    private let table: CopiedTable
    private let connection: Connection
    /// The columns that may have such values.
    private let candidates: [Int]

    /// - Parameter definition: the table under the names that the file has for it.
    init(_ definition: TableDefinition, table: CopiedTable, connection: Connection) throws {
        self.definition = definition
        self.table = table
        self.connection = connection
        // The bytes of a text are read as they are, so they have to be UTF-8; tables of pairs have numbers alone.
        let isUTF8 = try connection.pragma("encoding")?.text == "UTF-8"
        candidates = isUTF8 && table.keys.count == 1 ? table.unbounded : []
    }

    private func name(_ column: Int) -> String { SQLIdentifier.quoted(definition.columns[column].name) }

    /// What a statement asks of each row.
    var columns: String {
        table.columns.indices.map { column in
            let name = name(column)
            guard candidates.contains(column) else { return name }
            // Of data the length is known without reading it; that of a text as such would end with the first NUL.
            let bytes = table.columns[column].type == .blob ? name : "CAST(\(name) AS BLOB)"
            return "CASE WHEN length(\(bytes)) > \(LongValueSize.limit) THEN 0 ELSE \(name) END"
        }.joined(separator: ", ")
    }

    /// The values of a statement's present row that it has left out, by the numbers of their columns.
    func values(of statement: Statement) throws -> [Int: LongFileValue] {
        let numbers = candidates.filter { statement.columnType($0) == .integer }
        guard !numbers.isEmpty, let keyColumn = table.keys.first else { return [:] }
        let key = statement.int64(keyColumn)
        let types = try connection.prepare(
            "SELECT \(numbers.map { "typeof(\(name($0)))" }.joined(separator: ", ")) "
                + "FROM \(SQLIdentifier.quoted(definition.name)) WHERE \(name(keyColumn)) = ?")
        try types.bind(key, at: 1)
        var found: [Int: LongFileValue] = [:]
        guard try types.step() else { return found }
        for (place, column) in numbers.enumerated() {
            let type = types.text(place)
            guard type == "text" || type == "blob" else { continue }
            let blob = try IncrementalBlob(
                connection, table: definition.name, column: definition.columns[column].name, row: key)
            found[column] = LongFileValue(
                type == "text" ? RowTag.text : RowTag.blob, row: blob,
                skipped: type == "blob" && table.isLarge[column] ? try Self.mark(of: blob) : 0)
        }
        return found
    }

    /// How many bytes stand before a value that could be in a file of its own.
    private static func mark(of blob: IncrementalBlob) throws -> Int {
        var first: UInt8 = 0
        try withUnsafeMutableBytes(of: &first) { try blob.read($0, at: 0) }
        // A name would be shorter.
        guard first == 1 else { throw ExternalDataError(reason: "it begins with neither of the two known bytes") }
        return 1
    }
}
