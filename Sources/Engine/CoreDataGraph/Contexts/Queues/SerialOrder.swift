import Dispatch
import Synchronization

/// The order in which the blocks of a private queue run, both those that a thread waits for and the others.
///
/// Dispatch runs the blocks that no thread waits for. A thread that waits runs its block itself, at once if the queue
/// is free.
///
/// Invariants:
/// 1. While `isTaken`, one block runs or is about to; its turn ends with `pass()`. Otherwise `entries` is empty.
/// 2. The entries before `first` have had their turn.
final class SerialOrder: Sendable {
    private enum Entry: Sendable {
        case block(@Sendable () -> Void)
        case wait(QueueWait)
    }

    private struct State {
        var isTaken = false
        var entries: [Entry?] = []
        var first = 0

        /// Makes the queue taken; returns whether it was free.
        mutating func take() -> Bool {
            defer { isTaken = true }
            return !isTaken
        }

        /// Removes and returns the next entry, which gets the queue; makes the queue free and returns nil if there is
        /// none.
        mutating func next() -> Entry? {
            guard first < entries.count, let entry = entries[first] else {
                (isTaken, entries, first) = (false, [], 0)
                return nil
            }
            entries[first] = nil
            first += 1
            // Otherwise a queue that is never idle would keep an entry for each block that it has run.
            if first * 2 >= entries.count {
                entries.removeFirst(first)
                first = 0
            }
            return entry
        }
    }

    private let state = Mutex(State())
    private let queue: DispatchQueue

    init(on queue: DispatchQueue) { self.queue = queue }

    /// Acquires the queue if it is free; the caller ends its turn with `pass()`.
    func takeIfFree() -> Bool { state.withLock { $0.take() } }

    /// Runs a block on the Dispatch queue when its turn comes.
    func add(_ block: @escaping @Sendable () -> Void) {
        let isFree = state.withLock { state in
            if state.take() { return true }
            state.entries.append(.block(block))
            return false
        }
        if isFree { run(block) }
    }

    /// Passes the queue to a waiting thread when its turn comes.
    func add(_ wait: QueueWait) {
        let isFree = state.withLock { state in
            if state.take() { return true }
            state.entries.append(.wait(wait))
            return false
        }
        if isFree, !wait.grant() { pass() }
    }

    /// Ends a turn and passes the queue to the next entry; skips a wait whose block another thread runs.
    func pass() {
        while let next = state.withLock({ $0.next() }) {
            switch next {
            case .block(let block): return run(block)
            case .wait(let wait): if wait.grant() { return }
            }
        }
    }

    private func run(_ block: @escaping @Sendable () -> Void) {
        queue.async {
            block()
            self.pass()
        }
    }
}
