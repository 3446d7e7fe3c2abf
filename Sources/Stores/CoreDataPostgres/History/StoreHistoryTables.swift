import CoreDataSQL
import PostgresKit

/// The history of an open store: its tables, and the properties of the model's entities.
final class StoreHistoryTables {
    let schema: HistorySchema
    /// The history properties by layout number.
    let properties: [HistoryProperties]
    private var closingTexts: [Bool: String] = [:]

    init(_ shape: PostgresShape) {
        schema = HistorySchema(schema: shape.schema)
        properties = HistoryProperties.all(of: shape.layouts)
    }

    /// Creates the tables if needed, and checks that they are where they were when the history began.
    ///
    /// In a copy or a restored backup the history starts again, and tokens of the former one are expired. Returns the
    /// reason if the history cannot be read and, as the store is read-only, no new one can be started.
    func begin(_ session: PostgresSession, isReadOnly: Bool) throws -> String? {
        let isPresent =
            try session.query(
                "SELECT to_regclass($1::text) IS NOT NULL", [.text(schema.state)]
            ).int64(0, 0) == 1
        if isPresent, try hasKnownMarker(session) { return nil }
        guard !isReadOnly else {
            return
                "It has no history, or was restored from a backup and not opened since: open it once for writing, with "
                + "NSPersistentHistoryTrackingKey."
        }
        try session.connection.transaction("BEGIN", first: [session.shape.location.lock(.history)]) {
            try prepare(session)
        }
        return nil
    }

    private func hasKnownMarker(_ session: PostgresSession) throws -> Bool {
        let results = try session.connection.pipeline([
            schema.marker, PostgresStatement("SELECT ZMARKER FROM \(schema.state)"),
        ])
        return results[1].rowCount == 1 && results[0].text(0, 0) == results[1].text(0, 0)
    }

    /// Creates missing history tables, and begins a history if the marker is not known; the transaction holds the lock.
    private func prepare(_ session: PostgresSession) throws {
        let results = try session.connection.pipeline(
            schema.creation + [
                schema.marker, PostgresStatement("SELECT ZMARKER FROM \(schema.state)"),
                PostgresStatement(
                    "SELECT coalesce(max(Z_MAX), 0) FROM \(session.schema.table("Z_PRIMARYKEY"))"),
            ])
        let found = results.suffix(3).map { $0 }
        guard let marker = found[0].text(0, 0) else { return }
        let known = found[1].rowCount == 1 ? found[1].text(0, 0) : nil
        guard known != marker else { return }
        let isUnused = known == nil && found[2].int64(0, 0) == 0
        _ = try session.connection.pipeline(
            isUnused
                ? [schema.beginning(marker: marker)]
                : schema.newHistory(marker: marker) + (known == nil ? [] : [schema.keyLeap]))
    }

    /// Returns the statements that record a save marker and the running transaction; the first one's result is a
    /// `RecordedTransaction`.
    ///
    /// Nil if nothing was changed.
    func statements(
        _ record: ChangeRecord, by source: ChangeSource, marker: SaveMarker, shape: PostgresShape
    ) throws -> [PostgresStatement]? {
        let changes = record.changes
        guard !changes.isEmpty else { return nil }
        let pieces = stride(from: 0, to: changes.count, by: ChangeRows.mostRows).map { start in
            ChangeRows(
                changes[start..<min(start + ChangeRows.mostRows, changes.count)], shape: shape, properties: properties)
        }
        let closing = PostgresStatement(
            text(marker, pieces[0]), try schema.closingParameters(marker, source: source, changes: pieces[0]))
        return [closing] + (try pieces.dropFirst().map(schema.insertion(of:)))
    }

    /// Returns the text of the first statement; built once for a single change and once for several changes.
    private func text(_ marker: SaveMarker, _ changes: ChangeRows) -> String {
        if let known = closingTexts[changes.isOne] { return known }
        let made = schema.closing(marker, changes)
        closingTexts[changes.isOne] = made
        return made
    }
}

/// How the history has recorded a transaction.
struct RecordedTransaction {
    let number: Int64
    /// Whether transactions with lower numbers may still commit.
    let isPreceded: Bool

    /// - Parameter result: the result of the statement that recorded the transaction.
    init?(_ result: PostgresResult) {
        guard result.columnCount == 3, let number = result.int64(0, 1) else { return nil }
        self.number = number
        isPreceded = result.int64(0, 2) != 1
    }
}
