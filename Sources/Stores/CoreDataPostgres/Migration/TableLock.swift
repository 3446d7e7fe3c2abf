import CoreDataSQL
import PostgresKit

/// Waits for an exclusive lock on a table in short attempts, since other transactions queue behind a waiting one.
struct TableLock {
    private static let slice = "500ms"
    private static let pause: UInt32 = 100_000

    private let location: PostgresLocation
    private let patience: Duration

    init(_ location: PostgresLocation, _ patience: Duration) {
        self.location = location
        self.patience = patience
    }

    /// Acquires the lock; afterwards sets the same time limit for waiting for other tables.
    ///
    /// - Throws: `NSMigrationError` naming the holders of the lock.
    func take(on table: String, _ connection: PostgresConnection) throws {
        let end = ContinuousClock.now + patience
        while true {
            do throws(PostgresError) {
                _ = try connection.pipeline(
                    [
                        "SAVEPOINT opencoredata_lock", "SET LOCAL lock_timeout = '\(Self.slice)'",
                        "LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE",
                        "SET LOCAL lock_timeout = '\(max(1, Int(patience / .milliseconds(1))))ms'",
                        "RELEASE SAVEPOINT opencoredata_lock",
                    ].map { PostgresStatement($0) })
                return
            } catch {
                guard error.sqlState == "55P03" else { throw error }
                _ = try connection.query("ROLLBACK TO SAVEPOINT opencoredata_lock")
                guard ContinuousClock.now < end else {
                    throw PostgresMigrationErrors.inUse(location, holders: try holders(of: table, connection))
                }
                usleep(Self.pause)
            }
        }
    }

    private func holders(of table: String, _ connection: PostgresConnection) throws -> String {
        let result = try connection.query(
            "SELECT a.pid::int8, a.application_name, extract(epoch FROM clock_timestamp() - a.xact_start)::float8 "
                + "FROM pg_catalog.pg_locks l JOIN pg_catalog.pg_stat_activity a ON a.pid = l.pid "
                + "WHERE l.relation = to_regclass($1::text) AND l.granted AND a.pid <> pg_backend_pid() "
                + "ORDER BY a.xact_start LIMIT 3", [.text(table)])
        return (0..<result.rowCount).map { row in
            let age = Int(min(result.double(row, 2) ?? 0, 1e9))
            return "process \(result.int64(row, 0) ?? 0) of the server, program "
                + "'\(PrintableText.line(result.text(row, 1) ?? ""))', for \(age) s"
        }.joined(separator: "; ")
    }
}
