import CoreDataSQL
import PostgresKit

/// What a store writes to the database with each save, so that after a lost connection it can find out whether the save
/// was committed.
///
/// A row of `Z_MARKER` for each open store: the writer, and the number of the last save. A save writes its number
/// within its own transaction. `Docs/Decisions/0014-outcome-of-saves.md` explains this.
struct SaveMarker {
    private let schema: PostgresSchema
    private(set) var writer = UUID().uuidString
    private(set) var number: Int64 = 0
    private var isWritten = false
    /// When the current save began.
    private var time = Date()

    /// How many days the marker of a program that ended without closing its store is kept.
    static let daysKept = 30

    init(_ schema: PostgresSchema) { self.schema = schema }

    /// Begins the next save; returns the statement that marks it, which fails if the save has been declared not
    /// committed.
    mutating func next() -> PostgresStatement {
        number += 1
        isWritten = true
        time = Date()
        return PostgresStatement("WITH w AS (\(insertion)) SELECT \(Self.proof) FROM w", parameters)
    }

    /// SQL that marks the current save, as part of a larger statement; returns no row if the save was declared not
    /// committed.
    var insertion: String {
        "INSERT INTO \(schema.table("Z_MARKER")) AS m (Z_WRITER, Z_SAVE, Z_FENCE, Z_TIME) "
            + "VALUES ($1::text, $2::int8, 0, now()) "
            + "ON CONFLICT (Z_WRITER) DO UPDATE SET Z_SAVE = excluded.Z_SAVE, Z_TIME = excluded.Z_TIME "
            + "WHERE m.Z_FENCE < excluded.Z_SAVE RETURNING 1"
    }

    /// SQL that fails if the insertion returned no row.
    static let proof = "1 / count(*)"

    /// The first two parameters of a statement that contains `insertion`.
    var parameters: [PostgresParameter] { [.text(writer), .integer(number)] }

    /// Returns whether the current save was committed; if not, it is declared not committed and can no longer commit.
    ///
    /// Waits for a transaction that has marked the save and not ended. A transaction that has not marked it yet, as its
    /// statements are still on their way, fails when it does.
    func wasCommitted(_ connection: PostgresConnection) throws -> Bool {
        // This query must also work after the store was migrated.
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

    /// Changes the writer's name, so that later saves do not overwrite the marker of a save whose outcome is unknown.
    mutating func leave() { self = SaveMarker(schema) }

    /// The query with which a person or a program can find out the outcome of the current save.
    var question: String {
        "SELECT count(*) FROM \(schema.table("Z_MARKER")) WHERE Z_WRITER = '\(writer)' AND Z_SAVE = \(number)"
    }

    /// Returns numbers that change with each save of other stores; their rows are inserted and removed as the stores
    /// come and go.
    func othersState(_ connection: PostgresConnection) throws -> [Int64] {
        let result = try connection.query(
            "SELECT count(*), coalesce(sum(Z_SAVE), 0)::int8 FROM \(schema.table("Z_MARKER")) WHERE Z_WRITER <> $1::text",
            [.text(writer)])
        return [result.int64(0, 0) ?? 0, result.int64(0, 1) ?? 0]
    }

    /// Whether the current save was made so long ago that other programs may remove its marker.
    var isOutdated: Bool { -time.timeIntervalSinceNow > TimeInterval(Self.daysKept - 1) * 86_400 }

    /// Removes the markers of programs that ended without closing their stores, when they are outdated.
    ///
    /// The markers of running programs that rarely save may be removed, too: each save writes the complete row again.
    static func removeOutdated(_ schema: PostgresSchema, _ connection: PostgresConnection) {
        let table = schema.table("Z_MARKER")
        // Rows that others have locked are in use; if removing fails, a later program removes the rows.
        _ = try? connection.query(
            "DELETE FROM \(table) WHERE Z_WRITER IN (SELECT Z_WRITER FROM \(table) "
                + "WHERE Z_TIME < now() - $1::int8 * interval '1 day' LIMIT 1000 FOR UPDATE SKIP LOCKED)",
            [.integer(Int64(daysKept))])
    }

    /// Removes the row of a store that is being closed.
    ///
    /// - Parameter channel: notifies stores that detect saves by these rows; nil if a history is recorded.
    func remove(_ connection: PostgresConnection, notifying channel: ChangeChannel?) {
        guard isWritten, !connection.isBroken else { return }
        connection.opening = nil
        // If removing fails, a later program removes the row.
        let removal = PostgresStatement(
            "DELETE FROM \(schema.table("Z_MARKER")) WHERE Z_WRITER = $1::text", [.text(writer)])
        _ = try? connection.pipeline([removal] + (channel.map { [$0.notification] } ?? []))
    }
}
