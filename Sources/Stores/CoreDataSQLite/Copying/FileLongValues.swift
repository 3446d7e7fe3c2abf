import CoreDataSQL
import SQLiteKit

/// Finds the values of a table's rows that are too large for memory and are read in parts.
///
/// SQLite loads a complete value if a statement returns it, so the statement returns 0 instead. For rows with an
/// integer, the value's type is queried, since another program may have stored an integer there.
struct FileLongValues {
    private let definition: TableDefinition
    private let table: CopiedTable
    private let connection: Connection
    /// The columns that may have such values.
    private let candidates: [Int]

    /// - Parameter definition: the table, with the names that it has in the file.
    init(_ definition: TableDefinition, table: CopiedTable, connection: Connection) throws {
        self.definition = definition
        self.table = table
        self.connection = connection
        // The bytes of texts are passed unchanged, so they must be UTF-8; join tables contain only integers.
        let isUTF8 = try connection.pragma("encoding")?.text == "UTF-8"
        candidates = isUTF8 && table.keys.count == 1 ? table.unbounded : []
    }

    private func name(_ column: Int) -> String { SQLIdentifier.quoted(definition.columns[column].name) }

    /// The select list of the statement that reads rows.
    var columns: String {
        table.columns.indices.map { column in
            let name = name(column)
            guard candidates.contains(column) else { return name }
            // SQLite knows a blob's length without reading it; `length` of a text would stop at the first NUL.
            let bytes = table.columns[column].type == .blob ? name : "CAST(\(name) AS BLOB)"
            return "CASE WHEN length(\(bytes)) > \(LongValueSize.limit) THEN 0 ELSE \(name) END"
        }.joined(separator: ", ")
    }

    /// Returns the large values that the statement's current row omits, by column index.
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

    /// Returns how many bytes precede the value in a column that allows external storage.
    private static func mark(of blob: IncrementalBlob) throws -> Int {
        var first: UInt8 = 0
        try withUnsafeMutableBytes(of: &first) { try blob.read($0, at: 0) }
        // A value that names an external file is shorter than this.
        guard first == 1 else { throw ExternalDataError(reason: "it begins with neither of the two known bytes") }
        return 1
    }
}
