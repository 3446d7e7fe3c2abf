import CoreDataSQL
import PostgresKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// Makes connections to the server of a store.
struct PostgresConnector: Sendable {
    private static let pauses: ClosedRange<UInt32> = 20_000...500_000

    let location: PostgresLocation
    let settings: PostgresSettings
    /// What each transaction on a connection begins with.
    var opening: PostgresStatement?

    init(location: PostgresLocation, settings: PostgresSettings) {
        self.location = location
        self.settings = settings
    }

    /// One attempt.
    func connect() throws(PostgresError) -> PostgresConnection {
        let connection = try location.connect(timeout: settings.connectTimeout, silence: settings.silence)
        connection.statementTimeout = settings.statementTimeout
        connection.opening = opening
        return connection
    }

    /// Attempts until a server that is starting, or gone, is there again, as long as connecting may take.
    func reconnect() throws(PostgresError) -> PostgresConnection {
        let end = ContinuousClock.now + settings.connectTimeout
        var pause = Self.pauses.lowerBound
        while true {
            do throws(PostgresError) {
                return try connect()
            } catch {
                guard Self.mayPass(error), ContinuousClock.now < end else { throw error }
            }
            usleep(pause)
            pause = min(pause * 2, Self.pauses.upperBound)
        }
    }

    /// Whether a failure to connect may be over soon; a wrong password is not.
    private static func mayPass(_ error: PostgresError) -> Bool {
        guard error.isConnectionLost else { return false }
        // A certificate does not get better.
        if error.hint != nil, error.sqlState == nil { return false }
        return error.sqlState.map { ["57P03", "57P01", "57P02", "53300"].contains($0) } ?? true
    }
}
