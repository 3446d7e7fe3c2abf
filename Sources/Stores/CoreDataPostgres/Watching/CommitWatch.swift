import CoreDataSQL
import PostgresKit
import Synchronization

/// Calls a block soon after others have saved, on a thread of its own with a connection of its own.
///
/// It learns of saves by the store's history, or else by the marks that saves leave and the notifications of stores that are closed.
/// As notifications may be lost, and transactions may wait for others in the history, it also looks once a second. A connection that
/// broke is replaced.
final class CommitWatch: Sendable {
    private static let pause = Duration.seconds(1)
    /// An announced commit waits in the history until the transactions that began before it have ended.
    private static let shortPause = Duration.milliseconds(100)
    private static let shortPauses = 20

    private let channel: ChangeChannel
    /// What has another value after a save.
    private let state: @Sendable (PostgresConnection) throws -> [Int64]
    private let written: @Sendable () -> Void
    private let isEnded = Mutex(false)
    private let isNotified = Mutex(false)

    init(
        _ channel: ChangeChannel, state: @escaping @Sendable (PostgresConnection) throws -> [Int64],
        _ written: @escaping @Sendable () -> Void
    ) {
        self.channel = channel
        self.state = state
        self.written = written
        Thread.detachNewThread { self.run() }
    }

    /// Ends the thread, which releases its connection within a second.
    func end() { isEnded.withLock { $0 = true } }

    /// Whether others have sent a notification since the last call.
    func takeNotification() -> Bool {
        isNotified.withLock { isNotified in
            defer { isNotified = false }
            return isNotified
        }
    }

    private var hasEnded: Bool { isEnded.withLock { $0 } }

    private func run() {
        // What was committed before the first look may not have been reported to the observer.
        var seen: [Int64]?
        while !hasEnded {
            do {
                let connection = try channel.connectListening()
                defer { connection.close() }
                try follow(connection, &seen)
            } catch {
                Thread.sleep(forTimeInterval: 1)
            }
        }
    }

    private func follow(_ connection: PostgresConnection, _ seen: inout [Int64]?) throws {
        var shortPauses = 0
        while !hasEnded {
            let newest = try state(connection)
            if newest != seen {
                seen = newest
                written()
            }
            let pause = shortPauses > 0 ? Self.shortPause : Self.pause
            let isNotified = try connection.waitForNotification(until: .now + pause)
            if isNotified {
                self.isNotified.withLock { $0 = true }
                written()
            }
            shortPauses = isNotified ? Self.shortPauses : max(0, shortPauses - 1)
        }
    }
}
