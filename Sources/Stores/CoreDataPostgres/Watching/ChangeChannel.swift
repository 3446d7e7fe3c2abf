import CoreDataSQL
import PostgresKit

/// The notification channel of the open instances of a store, and how they connect to it.
struct ChangeChannel: Sendable {
    /// The time limit for the server's answers.
    private static let timeout = Duration.seconds(10)

    let location: PostgresLocation
    let identifier: String

    /// The channel's name, which differs between the stores of a database.
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
