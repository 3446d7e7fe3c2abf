import CoreDataSQL
import PostgresKit

/// The channel on which open stores notify each other of their writes, and how they connect for it.
struct ChangeChannel: Sendable {
    /// How long to wait for the server.
    private static let timeout = Duration.seconds(10)

    let location: PostgresLocation
    let identifier: String

    /// The channel's name: stores of one database have different ones.
    private var name: String { "opencoredata_\(identifier.lowercased())" }

    var notification: PostgresStatement { PostgresStatement("SELECT pg_notify($1::text, '')", [.text(name)]) }

    func connect() throws(PostgresError) -> PostgresConnection {
        let connection = try location.connect(timeout: Self.timeout)
        connection.statementTimeout = Self.timeout
        return connection
    }

    func connectListening() throws(PostgresError) -> PostgresConnection {
        let connection = try connect()
        _ = try connection.query("LISTEN \(SQLIdentifier.quoted(name))")
        return connection
    }
}
