import CoreDataSQL
import SQLiteKit

/// The tables of a search index, which is stored in a separate file beside the store.
///
/// | table | content |
/// |---|---|
/// | `state` | the store and the definition of the index, and the state of the store with which it is up to date |
/// | `text1`, … | the folded texts of a column by row key, to compare the store with |
/// | `box1`, … | an R-tree: the coordinates of a pair of columns by row key |
/// | `trigrams1`, … | FTS5, without texts: which rows contain three given scalars in sequence (`SearchKey`) |
/// | `words1`, … | FTS5, without texts: which rows contain a word, how often, among how many (`SearchWords`) |
struct SearchLayout: Sendable {
    let columns: [SearchColumn]
    let pairs: [SearchPair]
    /// The identifier of the store.
    let store: String

    /// The schema name under which connections to the store attach the index.
    static let schema = "search"

    static func path(ofStore path: String) -> String { path + "-search" }

    /// Returns the paths of an index's files.
    static func files(ofStore path: String) -> [String] {
        ["", "-wal", "-shm", "-journal"].map { Self.path(ofStore: path) + $0 }
    }

    static func removeFiles(ofStore path: String) {
        for file in files(ofStore: path) { unlink(file) }
    }

    /// Identifies how the index was made; an index with another definition is rebuilt.
    var definition: String {
        // Folding depends on the characters that the standard library knows.
        let probes: [UInt32] = [0x0870, 0x11F00, 0x2FFC, 0x1C89, 0x20C1]
        let ages = probes.map { Unicode.Scalar($0)?.properties.age.map { "\($0.major).\($0.minor)" } ?? "-" }
        let places = columns.map { "\($0.table).\($0.column)" } + pairs.map { "\($0.table).\($0.x),\($0.y)" }
        return (["3", ages.joined(separator: " ")] + places).joined(separator: "\n")
    }

    var statements: [String] {
        ["CREATE TABLE state (store TEXT, definition TEXT, log BLOB, file BLOB, busy INTEGER)"]
            + columns.indices.flatMap { number in
                [
                    "CREATE TABLE text\(number) (key INTEGER PRIMARY KEY, text TEXT)",
                    "CREATE VIRTUAL TABLE trigrams\(number) USING fts5(text, content='', columnsize=0, detail=none, "
                        + "tokenize='trigram case_sensitive 1')",
                    "CREATE VIRTUAL TABLE words\(number) USING fts5(words, content='', tokenize='ascii')",
                ]
            }
            + pairs.indices.map { "CREATE VIRTUAL TABLE box\($0) USING rtree(key, minX, maxX, minY, maxY, +x, +y)" }
    }

    /// Creates the tables in an empty file.
    func make(_ connection: Connection) throws {
        for statement in statements { try connection.execute(statement) }
        try connection.execute("INSERT INTO state VALUES (?, ?, NULL, NULL, 0)", [.text(store), .text(definition)])
    }

    /// Whether a file has exactly these tables, made with this definition for this store, and neither triggers nor
    /// views.
    func isMade(in connection: Connection, schema: String) throws -> Bool {
        let query = "SELECT type, name, tbl_name, sql FROM \(schema).sqlite_master ORDER BY type, name LIMIT 10000"
        let found = try connection.rows(query)
        let template = try Connection.inMemory()
        defer { template.close() }
        try make(template)
        let wanted = try template.rows(query.replacingOccurrences(of: "\(schema).", with: "main."))
        guard found == wanted else { return false }
        let rows = try connection.rows("SELECT store, definition FROM \(schema).state LIMIT 2")
        return rows == [[.text(store), .text(definition)]]
    }
}
