import CoreDataSQL
import PostgresKit

/// Makes connections to the server of a store.
struct PostgresConnector: Sendable {
    private static let pauses: ClosedRange<UInt32> = 20_000...500_000

    let location: PostgresLocation
    let settings: PostgresSettings
    /// Whether a server must accept writes to be used: the store has been written to, or may be.
    var needsWriter = false
    /// What each transaction on a connection begins with.
    var opening: PostgresStatement?

    init(location: PostgresLocation, settings: PostgresSettings) {
        self.location = location
        self.settings = settings
    }

    /// One attempt.
    func connect() throws(PostgresError) -> PostgresConnection { try connect(within: settings.connectTimeout) }

    /// The same for other hosts of the cluster, which need take no writes.
    func at(_ location: PostgresLocation) -> PostgresConnector {
        var connector = PostgresConnector(location: location, settings: settings)
        connector.opening = opening
        return connector
    }

    /// One attempt, within a time.
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

    /// Attempts until a server that is starting, or gone, is there again, as long as connecting may take.
    ///
    /// If no server accepts writes by then, and there is only one host, that host is used for reading.
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

    /// Whether a failure to connect may be over soon; a wrong password is not.
    private static func mayPass(_ error: PostgresError) -> Bool {
        guard error.isConnectionLost || error.kind == .timedOut else { return false }
        // A certificate does not get better.
        if error.hint != nil, error.sqlState == nil { return false }
        return error.sqlState.map { ["57P03", "57P01", "57P02", "53300", "25006"].contains($0) } ?? true
    }
}
