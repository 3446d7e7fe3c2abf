import CoreDataStore
import Synchronization

/// What is being read, so that another thread can end that.
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

    /// Makes what is being read fail soon.
    func interrupt() {
        let interruptions = state.withLock { state in
            state.isInterrupted = true
            return state.interruptions
        }
        for interruption in interruptions { interruption() }
    }

    /// Releases everything.
    func removeAll() {
        // What is released must not be so under the lock.
        let former = state.withLock { state in
            defer { state.interruptions = [] }
            return state.interruptions
        }
        withExtendedLifetime(former) {}
    }
}
