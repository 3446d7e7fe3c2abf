import CoreDataSQL
import PostgresKit
import Synchronization

/// Calls a block soon after a store's history has gone on, on a thread of its own with a connection of its own.
///
/// Others tell of their commits; as what they tell may be lost, and transactions may wait for others in the history, it also looks
/// once a second. A connection that broke is made anew.
final class CommitWatch: Sendable {
    private static let pause = Duration.seconds(1)
    /// A commit that was told of waits in the history until those that began before it have ended.
    private static let shortPause = Duration.milliseconds(100)
    private static let shortPauses = 20

    private let channel: ChangeChannel
    private let history: HistorySchema
    private let written: @Sendable () -> Void
    private let isEnded = Mutex(false)

    init(_ channel: ChangeChannel, _ history: HistorySchema, _ written: @escaping @Sendable () -> Void) {
        self.channel = channel
        self.history = history
        self.written = written
        Thread.detachNewThread { self.run() }
    }

    /// Ends the thread, which lets go of its connection within a second.
    func end() { isEnded.withLock { $0 = true } }

    private var hasEnded: Bool { isEnded.withLock { $0 } }

    private func run() {
        // What was committed before the first look may not have been seen by whoever wants to know.
        var seen: Int64?
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

    private func follow(_ connection: PostgresConnection, _ seen: inout Int64?) throws {
        var shortPauses = 0
        while !hasEnded {
            let newest = try connection.query(history.newest).int64(0, 0) ?? 0
            if newest != seen {
                seen = newest
                written()
            }
            let pause = shortPauses > 0 ? Self.shortPause : Self.pause
            let isTold = try connection.waitForNotification(until: .now + pause)
            shortPauses = isTold ? Self.shortPauses : max(0, shortPauses - 1)
        }
    }
}
