import CoreData
import Synchronization

/// The orders of lists: each is made once and shared by all tabs; the least recently used ones are removed when they
/// exceed the memory limit.
///
/// Invariants:
/// 1. For each question and version there is at most one order, or one task that makes it.
/// 2. A task that makes an order is cancelled when no request waits for it any longer.
package final class ListOrderCache: Sendable {
    private struct State {
        /// In the order of use: the most recently used one is the last.
        var orders: [ListOrder] = []
        var running: [Key: Running] = [:]
        var lastNumber = 0
        var made = 0
    }

    private struct Key: Hashable {
        let question: ListQuestion
        let version: StoreVersion
    }

    private struct Running {
        let task: Task<ListOrder, any Error>
        var waiters = 0
    }

    private let state = Mutex(State())
    private let byteLimit: Int

    package init(byteLimit: Int = 192 << 20) { self.byteLimit = byteLimit }

    /// The number of orders made so far, the bytes of those in the cache, and their number.
    package var statistics: (made: Int, bytes: Int, held: Int) {
        state.withLock { ($0.made, $0.orders.reduce(0) { $0 + $1.byteCount }, $0.orders.count) }
    }

    /// The cached order with a token, if it is of the question, or else the one of a question and version; nil if there
    /// is none.
    func known(_ question: ListQuestion, _ version: StoreVersion, token: String?) -> ListOrder? {
        state.withLock { state in
            let found =
                state.orders.firstIndex { $0.token == token && $0.question == question }
                ?? state.orders.firstIndex { $0.question == question && $0.version == version }
            guard let found else { return nil }
            let order = state.orders.remove(at: found)
            state.orders.append(order)
            return order
        }
    }

    /// The sorted keys of a list: the cached ones of the `token`, else of the version; `make` is called if none are.
    ///
    /// - Throws: Errors of `make`, and `CancellationError`.
    func order(
        _ question: ListQuestion, version: StoreVersion, token: String?,
        make: @escaping @Sendable (_ token: String) async throws -> ListOrder
    ) async throws -> ListOrder {
        try Task.checkCancellation()
        if let known = known(question, version, token: token) { return known }
        let key = Key(question: question, version: version)
        let task = state.withLock { state in
            if state.running[key] == nil {
                state.lastNumber += 1
                state.made += 1
                let token = "o\(state.lastNumber)"
                state.running[key] = Running(task: Task { try await make(token) })
            }
            state.running[key]?.waiters += 1
            return state.running[key]?.task
        }
        guard let task else { throw CancellationError() }
        let hasLeft = Mutex(false)
        let leave: @Sendable () -> Void = {
            guard
                !hasLeft.withLock({ left in
                    defer { left = true }
                    return left
                })
            else { return }
            self.leave(key, task)
        }
        let outcome = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            leave()
        }
        if case .success(let order) = outcome { keep(order) }
        leave()
        return try outcome.get()
    }

    private func leave(_ key: Key, _ task: Task<ListOrder, any Error>) {
        state.withLock { state in
            guard var running = state.running[key], running.task == task else { return }
            running.waiters -= 1
            state.running[key] = running.waiters > 0 ? running : nil
            if running.waiters == 0 { task.cancel() }
        }
    }

    private func keep(_ order: ListOrder) {
        state.withLock { state in
            guard !state.orders.contains(where: { $0 === order }) else { return }
            state.orders.append(order)
            var bytes = state.orders.reduce(0) { $0 + $1.byteCount }
            while bytes > byteLimit, state.orders.count > 1 { bytes -= state.orders.removeFirst().byteCount }
        }
    }
}
