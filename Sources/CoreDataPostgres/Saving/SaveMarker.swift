import CoreDataSQL
import PostgresKit

/// What a store leaves in the database with each save, by which it is known after a lost connection whether that was committed.
///
/// One row of `Z_MARKER` for each open store: who writes, and the number of the last save. A save writes its number in its own
/// transaction. `Docs/Decisions/0014-outcome-of-saves.md` says why.
struct SaveMarker {
    private let schema: PostgresSchema
    private(set) var writer = UUID().uuidString
    private(set) var number: Int64 = 0
    private var isWritten = false

    init(_ schema: PostgresSchema) { self.schema = schema }

    /// Goes on to the next save; gives the statement that marks it.
    mutating func next() -> PostgresStatement {
        number += 1
        isWritten = true
        return PostgresStatement(
            "INSERT INTO \(schema.table("Z_MARKER")) (Z_WRITER, Z_SAVE, Z_TIME) VALUES ($1::text, $2::int8, now()) "
                + "ON CONFLICT (Z_WRITER) DO UPDATE SET Z_SAVE = excluded.Z_SAVE, Z_TIME = excluded.Z_TIME",
            [.text(writer), .integer(number)])
    }

    /// Whether the present save was committed. Waits for its transaction, which has the row until it has ended.
    func wasCommitted(_ connection: PostgresConnection) throws -> Bool {
        let result = try connection.query(
            "INSERT INTO \(schema.table("Z_MARKER")) AS m (Z_WRITER, Z_SAVE, Z_TIME) VALUES ($1::text, 0, now()) "
                + "ON CONFLICT (Z_WRITER) DO UPDATE SET Z_TIME = excluded.Z_TIME RETURNING m.Z_SAVE", [.text(writer)])
        return result.int64(0, 0) == number
    }

    /// Takes another name, so that later saves do not write over the mark of one whose outcome is not known.
    mutating func leave() { self = SaveMarker(schema) }

    /// The question by which a person, or a program, learns what became of the present save.
    var question: String {
        "SELECT count(*) FROM \(schema.table("Z_MARKER")) WHERE Z_WRITER = '\(writer)' AND Z_SAVE = \(number)"
    }

    /// Removes the row of a store that is closed.
    func remove(_ connection: PostgresConnection) {
        guard isWritten, !connection.isBroken else { return }
        // What is left by a program that ended otherwise is small, and removed by later ones.
        _ = try? connection.query("DELETE FROM \(schema.table("Z_MARKER")) WHERE Z_WRITER = $1::text", [.text(writer)])
    }
}
