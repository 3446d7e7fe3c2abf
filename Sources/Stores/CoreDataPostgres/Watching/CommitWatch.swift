import CoreDataSQL
import PostgresKit
import Synchronization

/// Calls a block soon after other stores have saved, on its own thread and connection.
///
/// It detects saves by the store's history, or else by the markers that saves write and the notifications of stores
/// that are closed. Since notifications may be lost, and the history may report transactions with a delay, it also
/// polls once a second. A broken connection is replaced.
final class CommitWatch: Sendable {
    private static let pause = Duration.seconds(1)
    /// A commit with a notification appears in the history only after transactions that began before it have ended, so
    /// the history is polled more often for some time.
    private static let shortPause = Duration.milliseconds(100)
    private static let shortPauses = 20

    private let channel: ChangeChannel
    /// Returns a value that changes at least with each save of another store; the thread compares it at each poll.
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

    /// Ends the thread, which closes its connection within a second.
    func end() { isEnded.withLock { $0 = true } }

    /// Returns whether a notification has arrived since the last call.
    func takeNotification() -> Bool {
        isNotified.withLock { isNotified in
            defer { isNotified = false }
            return isNotified
        }
    }

    private var hasEnded: Bool { isEnded.withLock { $0 } }

    private func run() {
        // The observer may not know of what was committed before the first poll, so the first poll always calls the
        // block.
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
