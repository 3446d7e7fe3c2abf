import CoreDataStore
import Synchronization

/// The sources that an operation is reading, so that another thread can interrupt the readings.
final class RunningSources: Sendable {
    private struct State {
        var interruptions: [@Sendable () -> Void] = []
        var isInterrupted = false
    }

    private let state = Mutex(State())

    /// Whether reading has been interrupted.
    var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    func add(_ stream: RecordStream) { stream.sources.forEach(add) }

    func add(_ source: any RecordSource) {
        let source = Transferred(source)
        let isLate = state.withLock { state in
            state.interruptions.append { source.value.interrupt() }
            return state.isInterrupted
        }
        if isLate { source.value.interrupt() }
    }

    /// Interrupts the current and later readings.
    func interrupt() {
        let interruptions = state.withLock { state in
            state.isInterrupted = true
            return state.interruptions
        }
        for interruption in interruptions { interruption() }
    }

    /// Releases all sources.
    func removeAll() {
        // The sources must not be released while the lock is held.
        let former = state.withLock { state in
            defer { state.interruptions = [] }
            return state.interruptions
        }
        withExtendedLifetime(former) {}
    }
}
