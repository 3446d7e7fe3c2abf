import CoreDataSQL
import PostgresKit
import Synchronization

/// Notifies others soon after commits that there were some, on a thread and a connection of its own: within a save it
/// would have all writers of the database commit one after the other.
///
/// It is a hint: one that is lost is made up for by those who look now and then. May be used from any thread.
final class ChangeSignal: Sendable {
    private struct State {
        var isRunning = false
        var isEnded = false
        var isPending = false
    }

    /// The shortest time between two notifications of one store.
    private static let pause: TimeInterval = 0.05
    /// The connection is closed when there was no save for this long.
    private static let idleTime = DispatchTimeInterval.seconds(30)

    private let channel: ChangeChannel
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    init(_ channel: ChangeChannel) { self.channel = channel }

    /// Notes that something was committed.
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
            // A store that looks now finds what was committed; another connection announces the next commit.
            connection?.close()
            connection = nil
        }
    }
}
