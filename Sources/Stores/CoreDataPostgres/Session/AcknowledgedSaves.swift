import CoreDataSQL
import PostgresKit

/// The latest saves that the server has acknowledged, and the cluster and timeline that acknowledged them.
///
/// After reconnecting, the row of `Z_MARKER` shows whether they still exist: its number is that of the last surviving
/// save.
struct AcknowledgedSaves {
    /// The number of latest saves that can be reported if they are lost.
    private static let most = 1_000
    /// If no save was made for longer than this, the row may have been removed as outdated, so its absence proves
    /// nothing.
    private static let longestLag: TimeInterval = 86_400

    private let schema: PostgresSchema
    private var server: String?
    private var writer = ""
    private var saves: [PostgreSQLLostSave] = []

    init(_ schema: PostgresSchema) { self.schema = schema }

    /// The number of the last save; 0 if there is none.
    var last: Int64 { saves.last?.number ?? 0 }

    /// Adds the current save of a marker, which the server has acknowledged.
    mutating func note(_ marker: SaveMarker) {
        if marker.writer != writer { (writer, saves) = (marker.writer, []) }
        if saves.count >= 2 * Self.most { saves.removeFirst(saves.count - Self.most) }
        saves.append(PostgreSQLLostSave(number: marker.number, time: Date()))
    }

    /// Sets the last save's author, context, and transaction number in the history.
    mutating func describe(_ source: ChangeSource, transaction: Int64?) {
        guard let index = saves.indices.last else { return }
        saves[index].transactionNumber = transaction
        (saves[index].author, saves[index].contextName) = (source.author, source.contextName)
    }

    /// Records which server acknowledges the saves from here on.
    mutating func noteServer(_ connection: PostgresConnection) throws { server = try ask(connection).server }

    /// Returns the saves that the server lacks after reconnecting, and removes them here.
    mutating func takeLost(_ connection: PostgresConnection) throws -> [PostgreSQLLostSave] {
        let answer = try ask(connection)
        defer { server = answer.server }
        guard let newest = saves.last else { return [] }
        if answer.save == nil {
            guard answer.server != server, newest.time.timeIntervalSinceNow > -Self.longestLag else { return [] }
        }
        let found = answer.save ?? 0
        let lost = saves.filter { $0.number > found }
        saves.removeAll { $0.number > found }
        return lost
    }

    private func ask(_ connection: PostgresConnection) throws -> (server: String?, save: Int64?) {
        let result = try connection.query(
            "SELECT (SELECT system_identifier FROM pg_control_system())::text || '/' || (\(ServerTimeline.query))::text, "
                + "(SELECT Z_SAVE FROM \(schema.table("Z_MARKER")) WHERE Z_WRITER = $1::text)", [.text(writer)])
        return (result.text(0, 0), result.int64(0, 1))
    }
}
