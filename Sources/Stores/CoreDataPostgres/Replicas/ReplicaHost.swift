import CoreDataSQL
import PostgresKit

/// One of the hosts of a cluster: the idle connections to it, and until when it is left alone.
///
/// It is used only while its pool's lock is held.
struct ReplicaHost {
    /// How long a replica is left alone that could not answer; each time after that for twice as long, 8 s at most.
    private static let shortPause = Duration.milliseconds(250)
    /// How long a host is left alone that cannot be connected to, or is not a replica.
    private static let longPause = Duration.seconds(5)

    let connector: PostgresConnector
    private var idle:
        [(connection: PostgresConnection, birth: ContinuousClock.Instant, since: ContinuousClock.Instant)] = []
    private var useCount = 0
    private var isConnecting = false
    private var pausedUntil = ContinuousClock.now
    private var failureCount = 0

    /// What is to be done to have a connection.
    enum Offer {
        case connection(PostgresConnection, birth: ContinuousClock.Instant)
        case connecting
    }

    init(_ connector: PostgresConnector) { self.connector = connector }

    private var settings: PostgresSettings { connector.settings }

    /// A connection, or leave to make one; nil where the host is to be left alone.
    mutating func take(at now: ContinuousClock.Instant = .now) -> Offer? {
        guard now >= pausedUntil, useCount < settings.readerCount else { return nil }
        if let unused = idle.popLast() {
            useCount += 1
            return .connection(unused.connection, birth: unused.birth)
        }
        // One at a time finds out that a host does not answer.
        guard !isConnecting else { return nil }
        (isConnecting, useCount) = (true, useCount + 1)
        return .connecting
    }

    /// Notes how connecting ended.
    mutating func connected(_ isConnected: Bool, at now: ContinuousClock.Instant = .now) {
        isConnecting = false
        guard !isConnected else { return }
        useCount -= 1
        pausedUntil = now + Self.longPause
    }

    /// Returns a connection, which is reused if it is as good as a new one; gives the connections to close.
    mutating func giveBack(
        _ connection: PostgresConnection, born birth: ContinuousClock.Instant, hasAnswered: Bool,
        at now: ContinuousClock.Instant = .now
    ) -> [PostgresConnection] {
        useCount -= 1
        let isReplica = !connection.isBroken && connection.takesNoWrites
        if hasAnswered {
            failureCount = 0
        } else {
            // The next connection attempt shows whether the host of a broken connection can be reached.
            let mayAnswer = isReplica || connection.isBroken
            failureCount = min(failureCount + 1, 6)
            pausedUntil = now + (mayAnswer ? Self.shortPause * (1 << (failureCount - 1)) : Self.longPause)
        }
        var closed = takeOutdated(at: now)
        if isReplica, connection.transactionStatus == .idle, now - birth <= settings.lifetime {
            idle.append((connection, birth, now))
        } else {
            closed.append(connection)
        }
        return closed
    }

    /// Removes the connections that were idle for long, or all of them.
    mutating func takeOutdated(at now: ContinuousClock.Instant = .now, all: Bool = false) -> [PostgresConnection] {
        let limit = settings.idleTime
        let outdated = idle.filter { all || now - $0.since > limit }.map(\.connection)
        idle.removeAll { all || now - $0.since > limit }
        return outdated
    }
}
