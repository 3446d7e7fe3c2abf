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
    /// When the present save was begun.
    private var time = Date()

    /// For how many days the mark of a program that ended without closing its store shows the outcome of its last save.
    static let daysKept = 30

    init(_ schema: PostgresSchema) { self.schema = schema }

    /// Goes on to the next save; gives the statement that marks it, and fails where it has been given up as not committed.
    mutating func next() -> PostgresStatement {
        number += 1
        isWritten = true
        time = Date()
        return PostgresStatement("WITH w AS (\(insertion)) SELECT \(Self.proof) FROM w", parameters)
    }

    /// What marks the present save within a statement that also does other things: gives no row where it has been given up.
    var insertion: String {
        "INSERT INTO \(schema.table("Z_MARKER")) AS m (Z_WRITER, Z_SAVE, Z_FENCE, Z_TIME) "
            + "VALUES ($1::text, $2::int8, 0, now()) "
            + "ON CONFLICT (Z_WRITER) DO UPDATE SET Z_SAVE = excluded.Z_SAVE, Z_TIME = excluded.Z_TIME "
            + "WHERE m.Z_FENCE < excluded.Z_SAVE RETURNING 1"
    }

    /// Fails if the insertion returned no row.
    static let proof = "1 / count(*)"

    /// The first two parameters of a statement with the insertion.
    var parameters: [PostgresParameter] { [.text(writer), .integer(number)] }

    /// Whether the present save was committed; if not, it cannot be any more.
    ///
    /// Waits for a transaction that has marked it and not ended. One that has not marked it yet, since what was sent is still on
    /// its way, fails when it does.
    func wasCommitted(_ connection: PostgresConnection) throws -> Bool {
        // This query also runs after the store was migrated.
        let opening = connection.opening
        connection.opening = nil
        defer { connection.opening = opening }
        let result = try connection.query(
            "INSERT INTO \(schema.table("Z_MARKER")) AS m (Z_WRITER, Z_SAVE, Z_FENCE, Z_TIME) "
                + "VALUES ($1::text, 0, $2::int8, now()) "
                + "ON CONFLICT (Z_WRITER) DO UPDATE SET Z_FENCE = excluded.Z_FENCE, Z_TIME = now() RETURNING m.Z_SAVE",
            [.text(writer), .integer(number)])
        return result.int64(0, 0) == number
    }

    /// Takes another name, so that later saves do not write over the mark of one whose outcome is not known.
    mutating func leave() { self = SaveMarker(schema) }

    /// The question by which a person, or a program, learns what became of the present save.
    var question: String {
        "SELECT count(*) FROM \(schema.table("Z_MARKER")) WHERE Z_WRITER = '\(writer)' AND Z_SAVE = \(number)"
    }

    /// How many saves others have marked, as numbers that change with each; rows come and go with those who write.
    func othersState(_ connection: PostgresConnection) throws -> [Int64] {
        let result = try connection.query(
            "SELECT count(*), coalesce(sum(Z_SAVE), 0)::int8 FROM \(schema.table("Z_MARKER")) WHERE Z_WRITER <> $1::text",
            [.text(writer)])
        return [result.int64(0, 0) ?? 0, result.int64(0, 1) ?? 0]
    }

    /// Whether the present save was made so long ago that others may remove its mark.
    var isOutdated: Bool { -time.timeIntervalSinceNow > TimeInterval(Self.daysKept - 1) * 86_400 }

    /// Removes the marks of programs that ended without closing their stores, once they are no longer needed.
    ///
    /// A program that still runs but saves rarely loses nothing: each save writes the complete row.
    static func removeOutdated(_ schema: PostgresSchema, _ connection: PostgresConnection) {
        let table = schema.table("Z_MARKER")
        // Rows that others hold are theirs, and what is not removed now is another time.
        _ = try? connection.query(
            "DELETE FROM \(table) WHERE Z_WRITER IN (SELECT Z_WRITER FROM \(table) "
                + "WHERE Z_TIME < now() - $1::int8 * interval '1 day' LIMIT 1000 FOR UPDATE SKIP LOCKED)",
            [.integer(Int64(daysKept))])
    }

    /// Removes the row of a store that is closed.
    ///
    /// - Parameter channel: notifies the stores that learn of saves by these rows; nil if a history is recorded.
    func remove(_ connection: PostgresConnection, telling channel: ChangeChannel?) {
        guard isWritten, !connection.isBroken else { return }
        connection.opening = nil
        // A program that ended otherwise leaves its row, which is small; a later one removes it.
        let removal = PostgresStatement(
            "DELETE FROM \(schema.table("Z_MARKER")) WHERE Z_WRITER = $1::text", [.text(writer)])
        _ = try? connection.pipeline([removal] + (channel.map { [$0.notification] } ?? []))
    }
}
