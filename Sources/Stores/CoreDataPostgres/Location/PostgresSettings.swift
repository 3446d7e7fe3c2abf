import CoreDataSQL

/// Option: the time limit in seconds for a query or a save of a PostgreSQL store; unlimited by default.
///
/// A number from 0.05 to 86,400. What takes longer is cancelled on the server and throws
/// `NSPersistentStoreTimeoutError`. The time limit for connecting is `NSPersistentStoreTimeoutOption`.
public let CoreDataPostgreSQLStatementTimeoutOption = "CoreDataPostgreSQLStatementTimeoutOption"
/// Option: the number of seconds without data from the server after which a PostgreSQL store checks whether the server
/// is still working on the awaited answer; 10 by default.
///
/// A number from 0.05 to 86,400. The check uses a second connection. If the server is not working on the answer or
/// cannot be reached, the connection counts as broken and is replaced. There is no time limit while the server is
/// working.
public let CoreDataPostgreSQLSilenceOption = "CoreDataPostgreSQLSilenceOption"
/// Option: for how many seconds a PostgreSQL store retains a snapshot for a query generation or a streamed read; 3,600
/// by default.
///
/// While a snapshot is retained, the server cannot vacuum rows that were updated or deleted since. Afterwards the
/// snapshot is released: reading from it throws `NSPersistentStoreTimeoutError`, and other reads can use its
/// connection.
public let CoreDataPostgreSQLGenerationMaximumAgeOption = "CoreDataPostgreSQLGenerationMaximumAgeOption"
/// Option: the maximum lag in seconds of a replica that serves contexts which read from replicas
/// (`NSManagedObjectContext.readsFromReplicas`) of a PostgreSQL store; without this option no replica is used.
///
/// A number from 0.05 to 86,400. The replicas are those hosts of the URL that do not accept writes.
public let CoreDataPostgreSQLReplicaMaximumLagOption = "CoreDataPostgreSQLReplicaMaximumLagOption"
/// Option: the number of reader connections that a PostgreSQL store keeps open while they are not in use; 0 by default.
///
/// A number from 0 to `NSPersistentStoreConnectionPoolMaxSizeKey`. The connections are opened in the background when
/// the store is opened, so that the first reads do not wait for them. Those that are too old or broken are replaced.
public let CoreDataPostgreSQLMinimumReaderCountOption = "CoreDataPostgreSQLMinimumReaderCountOption"
/// Option: the number of seconds after which an unused reader connection of a PostgreSQL store is closed; 60 by
/// default.
///
/// A number from 0.05 to 86,400.
public let CoreDataPostgreSQLReaderIdleTimeOption = "CoreDataPostgreSQLReaderIdleTimeOption"
/// Option: the maximum age in seconds of a reader connection of a PostgreSQL store; 1,800 by default.
///
/// A number from 0.05 to 86,400. An older connection is not used again, so that connections are distributed over all
/// servers behind one address, including servers that were added later.
public let CoreDataPostgreSQLReaderLifetimeOption = "CoreDataPostgreSQLReaderLifetimeOption"
/// Option: how many seconds a thread waits for a reader connection of a PostgreSQL store if all are in use; 30 by
/// default.
///
/// A number from 0 to 86,400. Afterwards the read throws `NSPersistentStoreTimeoutError`, which names the users of the
/// connections.
public let CoreDataPostgreSQLReaderWaitOption = "CoreDataPostgreSQLReaderWaitOption"

/// The connection settings from a store's options.
struct PostgresSettings: Sendable {
    /// The time limit for connecting.
    let connectTimeout: Duration
    /// The time limit for an answer; nil for none.
    let statementTimeout: Duration?
    /// The time without data from the server after which the connection checks whether the server is still working.
    let silence: Duration
    /// The maximum number of readers.
    let readerCount: Int
    /// The number of readers whose connections stay open while they are not in use.
    let leastReaderCount: Int
    /// How long a thread waits for a reader if all are in use.
    let patience: Duration
    /// The maximum time for which a snapshot is retained.
    let greatestAge: Duration
    /// The maximum lag of a replica that is used; nil if replicas are not used.
    let greatestLag: Duration?
    /// The time after which an unused connection is closed.
    let idleTime: Duration
    /// The maximum age of a connection, so that connections are distributed over all servers behind one address.
    let lifetime: Duration

    /// The default of `silence`.
    static let usualSilence = Duration.seconds(10)

    /// With several hosts the default time limit for connecting is longer, since a failover takes longer than a
    /// restart.
    init(_ options: [AnyHashable: Any], hasSeveralHosts: Bool) {
        connectTimeout =
            Self.seconds(options[NSPersistentStoreTimeoutOption], 1...86_400) ?? .seconds(hasSeveralHosts ? 60 : 10)
        statementTimeout = Self.seconds(options[CoreDataPostgreSQLStatementTimeoutOption], 0.05...86_400)
        silence = Self.seconds(options[CoreDataPostgreSQLSilenceOption], 0.05...86_400) ?? Self.usualSilence
        readerCount = max(1, options[NSPersistentStoreConnectionPoolMaxSizeKey] as? Int ?? 4)
        leastReaderCount = min(max(0, options[CoreDataPostgreSQLMinimumReaderCountOption] as? Int ?? 0), readerCount)
        idleTime = Self.seconds(options[CoreDataPostgreSQLReaderIdleTimeOption], 0.05...86_400) ?? .seconds(60)
        lifetime = Self.seconds(options[CoreDataPostgreSQLReaderLifetimeOption], 0.05...86_400) ?? .seconds(1_800)
        patience = Self.seconds(options[CoreDataPostgreSQLReaderWaitOption], 0...86_400) ?? .seconds(30)
        greatestLag = Self.seconds(options[CoreDataPostgreSQLReplicaMaximumLagOption], 0.05...86_400)
        greatestAge =
            Self.seconds(options[CoreDataPostgreSQLGenerationMaximumAgeOption], 0.05...8_640_000) ?? .seconds(3_600)
    }

    private static func seconds(_ given: Any?, _ range: ClosedRange<Double>) -> Duration? {
        guard let seconds = given as? Double ?? (given as? Int).map(Double.init), !seconds.isNaN else { return nil }
        return .seconds(min(max(seconds, range.lowerBound), range.upperBound))
    }
}
