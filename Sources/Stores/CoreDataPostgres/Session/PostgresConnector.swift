import CoreDataSQL
import PostgresKit

/// Opens connections to the server of a store.
struct PostgresConnector: Sendable {
    private static let pauses: ClosedRange<UInt32> = 20_000...500_000

    let location: PostgresLocation
    let settings: PostgresSettings
    /// Whether only servers that accept writes may be used, as the store is open for writing.
    var needsWriter = false
    /// The statement with which each transaction on a connection begins.
    var opening: PostgresStatement?

    init(location: PostgresLocation, settings: PostgresSettings) {
        self.location = location
        self.settings = settings
    }

    /// Tries once to connect.
    func connect() throws(PostgresError) -> PostgresConnection { try connect(within: settings.connectTimeout) }

    /// Returns a connector to another host of the cluster, which need not accept writes.
    func at(_ location: PostgresLocation) -> PostgresConnector {
        var connector = PostgresConnector(location: location, settings: settings)
        connector.opening = opening
        return connector
    }

    /// Tries once to connect, within a time limit.
    func connect(within time: Duration) throws(PostgresError) -> PostgresConnection {
        let connection = try location.connect(timeout: time, silence: settings.silence)
        guard !needsWriter || !connection.takesNoWrites else {
            connection.close()
            throw PostgresError(
                .connection, "the server takes no writes", attempt: "connect", sqlState: "25006")
        }
        connection.closesWhenReadOnly = needsWriter
        connection.statementTimeout = settings.statementTimeout
        connection.opening = opening
        return connection
    }

    /// Tries to connect, repeatedly while the server is starting or unreachable, until the time limit for connecting.
    ///
    /// If no server accepts writes by then, and the URL names only one host, a connection for reading is opened.
    func reconnect() throws(PostgresError) -> PostgresConnection {
        let end = ContinuousClock.now + settings.connectTimeout
        var pause = Self.pauses.lowerBound
        while true {
            do throws(PostgresError) {
                return try connect(within: max(end - .now, .milliseconds(100)))
            } catch {
                guard Self.mayPass(error) else { throw error }
                guard ContinuousClock.now < end else {
                    guard error.sqlState == "25006", !location.hasSeveralHosts else { throw error }
                    var reading = self
                    reading.needsWriter = false
                    return try reading.connect()
                }
            }
            usleep(pause)
            pause = min(pause * 2, Self.pauses.upperBound)
        }
    }

    /// Whether a failure to connect may be temporary; a wrong password, for example, is not.
    private static func mayPass(_ error: PostgresError) -> Bool {
        guard error.isConnectionLost || error.kind == .timedOut else { return false }
        // An invalid certificate is not temporary.
        if error.hint != nil, error.sqlState == nil { return false }
        return error.sqlState.map { ["57P03", "57P01", "57P02", "53300", "25006"].contains($0) } ?? true
    }
}
