import CoreDataSQL
import PostgresKit

/// A host of a cluster: its idle connections, and a pause after failures during which it is not used.
///
/// Accessed only while the pool's lock is locked.
struct ReplicaHost {
    /// The pause after a replica could not answer; it doubles with each further failure, up to 8 s.
    private static let shortPause = Duration.milliseconds(250)
    /// The pause after a host could not be connected to, or is not a replica.
    private static let longPause = Duration.seconds(5)

    let connector: PostgresConnector
    private var idle:
        [(connection: PostgresConnection, birth: ContinuousClock.Instant, since: ContinuousClock.Instant)] = []
    private var useCount = 0
    private var isConnecting = false
    private var pausedUntil = ContinuousClock.now
    private var failureCount = 0

    /// How to get a connection: an idle one, or permission to open one.
    enum Offer {
        case connection(PostgresConnection, birth: ContinuousClock.Instant)
        case connecting
    }

    init(_ connector: PostgresConnector) { self.connector = connector }

    private var settings: PostgresSettings { connector.settings }

    /// Returns an idle connection, or permission to open one; nil if the host must not be used now.
    mutating func take(at now: ContinuousClock.Instant = .now) -> Offer? {
        guard now >= pausedUntil, useCount < settings.readerCount else { return nil }
        if let unused = idle.popLast() {
            useCount += 1
            return .connection(unused.connection, birth: unused.birth)
        }
        // Only one thread at a time opens a connection, so that a dead host delays only one.
        guard !isConnecting else { return nil }
        (isConnecting, useCount) = (true, useCount + 1)
        return .connecting
    }

    /// Records whether a connection could be opened.
    mutating func connected(_ isConnected: Bool, at now: ContinuousClock.Instant = .now) {
        isConnecting = false
        guard !isConnected else { return }
        useCount -= 1
        pausedUntil = now + Self.longPause
    }

    /// Takes a connection back and keeps it if it can be reused; returns the connections to close.
    mutating func giveBack(
        _ connection: PostgresConnection, born birth: ContinuousClock.Instant, hasAnswered: Bool,
        at now: ContinuousClock.Instant = .now
    ) -> [PostgresConnection] {
        useCount -= 1
        let isReplica = !connection.isBroken && connection.takesNoWrites
        if hasAnswered {
            failureCount = 0
        } else {
            // If the connection is broken, the next attempt to connect shows whether the host can be reached.
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

    /// Removes and returns the connections that have been idle for long, or all of them.
    mutating func takeOutdated(at now: ContinuousClock.Instant = .now, all: Bool = false) -> [PostgresConnection] {
        let limit = settings.idleTime
        let outdated = idle.filter { all || now - $0.since > limit }.map(\.connection)
        idle.removeAll { all || now - $0.since > limit }
        return outdated
    }
}
