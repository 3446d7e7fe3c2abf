import CoreDataSQL

/// Option: how many seconds a question or a save of a PostgreSQL store may take before it is given up; unbounded unless given.
///
/// A number from 0.05 to 86,400. What takes longer is cancelled on the server and throws `NSPersistentStoreTimeoutError`. Connecting has
/// `NSPersistentStoreTimeoutOption`.
public let CoreDataPostgreSQLStatementTimeoutOption = "CoreDataPostgreSQLStatementTimeoutOption"
/// Option: after how many seconds in which nothing came from the server of a PostgreSQL store it is asked whether it still works on the
/// answer that is awaited; 10 unless given.
///
/// A number from 0.05 to 86,400. It is asked over a second connection. Where it does not, or cannot be reached, the connection has broken
/// and another one is made. What the server works on may take as long as it needs.
public let CoreDataPostgreSQLSilenceOption = "CoreDataPostgreSQLSilenceOption"
/// Option: for how many seconds a PostgreSQL store retains a state for a query generation or a streamed read; 3,600 by default.
///
/// While a state is retained, the server cannot vacuum rows that were updated or deleted since. Afterwards the state is released:
/// reading it throws `NSPersistentStoreTimeoutError`, and its connection is free for others.
public let CoreDataPostgreSQLGenerationMaximumAgeOption = "CoreDataPostgreSQLGenerationMaximumAgeOption"
/// Option: how many seconds a replica of a PostgreSQL store's server may be behind it that answers contexts which read from replicas
/// (`NSManagedObjectContext.readsFromReplicas`); without it no replica is asked.
///
/// A number from 0.05 to 86,400. The replicas are the hosts of the URL that take no writes.
public let CoreDataPostgreSQLReplicaMaximumLagOption = "CoreDataPostgreSQLReplicaMaximumLagOption"
/// Option: how many connections a PostgreSQL store keeps open for its readers while they are not in use; none unless given.
///
/// A number from 0 to `NSPersistentStoreConnectionPoolMaxSizeKey`. They are opened in the background when the store is, so that the first
/// reads do not wait for them, and others take the place of those that are too old or have broken.
public let CoreDataPostgreSQLMinimumReaderCountOption = "CoreDataPostgreSQLMinimumReaderCountOption"
/// Option: after how many seconds without use the connection of a reader of a PostgreSQL store is closed; 60 unless given.
///
/// A number from 0.05 to 86,400.
public let CoreDataPostgreSQLReaderIdleTimeOption = "CoreDataPostgreSQLReaderIdleTimeOption"
/// Option: after how many seconds the connection of a reader of a PostgreSQL store is not used again; 1,800 unless given.
///
/// A number from 0.05 to 86,400. So servers behind one address all get their share, also one that came later.
public let CoreDataPostgreSQLReaderLifetimeOption = "CoreDataPostgreSQLReaderLifetimeOption"
/// Option: how many seconds a thread waits for a reader of a PostgreSQL store while all are in use; 30 unless given.
///
/// A number from 0 to 86,400. Then the read throws `NSPersistentStoreTimeoutError`, which says who has them.
public let CoreDataPostgreSQLReaderWaitOption = "CoreDataPostgreSQLReaderWaitOption"

/// What the options of a store say of its connections.
struct PostgresSettings: Sendable {
    /// How long connecting may take.
    let connectTimeout: Duration
    /// How long an answer may take; nil for no end.
    let statementTimeout: Duration?
    /// After how long without a byte the server is asked whether it still works.
    let silence: Duration
    /// How many readers there are at most.
    let readerCount: Int
    /// How many readers' connections stay open while they are not in use.
    let leastReaderCount: Int
    /// How long a thread waits for a reader.
    let patience: Duration
    /// How long a state is retained.
    let greatestAge: Duration
    /// How far behind a replica may be that answers; nil where none is asked.
    let greatestLag: Duration?
    /// After how long an unused connection is closed.
    let idleTime: Duration
    /// After how long a connection is not used again, so that servers behind an address all get their share.
    let lifetime: Duration

    /// What `silence` is unless an option says otherwise.
    static let usualSilence = Duration.seconds(10)

    /// A failover in a cluster takes longer than the restart of one server.
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
