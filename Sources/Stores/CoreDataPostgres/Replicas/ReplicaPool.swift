import CoreDataSQL
import PostgresKit

/// The replicas of a store's server for contexts that read from replicas: those hosts of the URL that do not accept
/// writes.
///
/// `Docs/Decisions/0020-reading-from-replicas.md` says what a replica must have reached in order to answer.
final class ReplicaPool: ReplicaProviding, @unchecked Sendable {
    /// The numbers of queries to replicas.
    struct Counts: Equatable {
        /// Queries that a replica has answered.
        var answered = 0
        /// Queries that a replica could not answer.
        var refused = 0
    }

    /// The time limit for connecting to one replica.
    private static let patience = Duration.seconds(3)

    private let shape: PostgresShape
    private let history: HistorySchema
    private let watch: PositionWatch
    private let lock = NSLock()
    private let hostCount: Int
    private var hosts: [ReplicaHost]
    /// The index at which the last search for a replica began.
    private var first = 0
    private var answered = Counts()
    private var isClosed = false

    /// Returns nil if the store's options set no maximum lag.
    init?(_ shape: PostgresShape, _ connector: PostgresConnector) {
        guard let greatestLag = connector.settings.greatestLag else { return nil }
        self.shape = shape
        history = HistorySchema(schema: shape.schema)
        watch = PositionWatch(connector, greatestLag: greatestLag)
        hosts = connector.location.replicas.map { ReplicaHost(connector.at($0)) }
        hostCount = hosts.count
    }

    var counts: Counts { lock.withLock { answered } }

    // MARK: What replicas must have

    /// Makes all later reads see what precedes a position that was queried at `time`; nil if the position is not known.
    func require(_ position: LogPosition?, askedAt time: ContinuousClock.Instant) {
        watch.require(position, askedAt: time)
    }

    /// Called after a new connection to the primary server was opened, which may be another server: discards all
    /// positions.
    func forgetPositions() { watch.forget() }

    // MARK: Checking out

    func checkOut(havingHistoryThrough transaction: Int64?) -> (any PooledReader)? {
        let first = lock.withLock {
            self.first += 1
            return isClosed || hostCount == 0 ? nil : self.first
        }
        guard let first, let position = watch.required() else { return nil }
        for place in 0..<hostCount {
            let host = (first + place) % hostCount
            guard let reader = reader(at: host) else { continue }
            reader.connection.condition = position.condition(history, through: transaction)
            return reader
        }
        return nil
    }

    private func reader(at host: Int) -> ReplicaReader? {
        let (offer, connector) = lock.withLock { (hosts[host].take(), hosts[host].connector) }
        switch offer {
        case nil: return nil
        case .connection(let connection, let birth):
            return ReplicaReader(
                PostgresSession(shape, connection: connection, connector: connector), self, host: host, born: birth)
        case .connecting:
            let connection = try? connector.connect(within: Self.patience)
            lock.withLock { hosts[host].connected(connection != nil) }
            return connection.map {
                ReplicaReader(
                    PostgresSession(shape, connection: $0, connector: connector), self, host: host, born: .now)
            }
        }
    }

    /// Takes the connection of a reader back.
    func checkIn(_ reader: ReplicaReader) {
        let closed = lock.withLock {
            answered.answered += reader.answerCount
            if reader.hasRefused { answered.refused += 1 }
            let outdated = hosts[reader.host].giveBack(
                reader.connection, born: reader.birth, hasAnswered: !reader.hasRefused)
            return isClosed ? outdated + takeAll() : outdated
        }
        for connection in closed { connection.close() }
    }

    /// Called while the lock is locked.
    private func takeAll() -> [PostgresConnection] { hosts.indices.flatMap { hosts[$0].takeOutdated(all: true) } }

    /// Closes the idle connections; those in use are closed when they are returned.
    func close() {
        watch.close()
        let closed = lock.withLock {
            isClosed = true
            return takeAll()
        }
        for connection in closed { connection.close() }
    }
}
