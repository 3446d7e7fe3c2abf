import CoreDataSQL
import PostgresKit
import Synchronization

/// Notifies other programs of commits with a short delay, on its own thread and connection: with NOTIFY in the
/// transaction of a save, all writers of the database would have to commit one after the other.
///
/// Notifications may be lost; receivers also poll from time to time. May be used from any thread.
final class ChangeSignal: Sendable {
    private struct State {
        var isRunning = false
        var isEnded = false
        var isPending = false
    }

    /// The minimum time between two notifications of one store.
    private static let pause: TimeInterval = 0.05
    /// The connection is closed after this time without a save.
    private static let idleTime = DispatchTimeInterval.seconds(30)

    private let channel: ChangeChannel
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    init(_ channel: ChangeChannel) { self.channel = channel }

    /// Requests a notification after a commit.
    func noteCommit() {
        let (begins, wakes) = state.withLock { state -> (Bool, Bool) in
            guard !state.isEnded, !state.isPending else { return (false, false) }
            state.isPending = true
            defer { state.isRunning = true }
            return (!state.isRunning, state.isRunning)
        }
        if wakes { wake.signal() }
        if begins { Thread.detachNewThread { self.run() } }
    }

    func end() {
        state.withLock { $0.isEnded = true }
        wake.signal()
    }

    private func run() {
        var connection: PostgresConnection?
        defer { connection?.close() }
        while true {
            let wants = state.withLock { state in
                defer { state.isPending = false }
                return state.isPending && !state.isEnded
            }
            if wants {
                send(&connection)
                Thread.sleep(forTimeInterval: Self.pause)
            }
            let isAwake = wake.wait(timeout: .now() + Self.idleTime) == .success
            let ends = state.withLock { state in
                guard state.isEnded || !isAwake && !state.isPending else { return false }
                state.isRunning = false
                return true
            }
            if ends { return }
        }
    }

    private func send(_ connection: inout PostgresConnection?) {
        do {
            let usable = try connection ?? channel.connect()
            connection = usable
            _ = try usable.pipeline([channel.notification])
        } catch {
            // The notification is lost, but the next poll finds the commit; the next notification uses a new
            // connection.
            connection?.close()
            connection = nil
        }
    }
}
