import Foundation
import LockKit

extension Job {
    /// Cancels the job: one that has not begun ends at once, one that runs when its work next asks.
    ///
    /// - Parameter reason: Why, for people; observers and rows have it.
    public func cancel(reason: String? = nil) {
        let effect = storage.withLock { storage -> Effect? in
            guard !storage.snapshot.state.isEnded, !storage.snapshot.isCancelled else { return nil }
            storage.snapshot.isCancelled = true
            storage.snapshot.reason = reason
            guard storage.hasBegun else {
                let operation = storage.operation
                end(.cancelled, &storage)
                return Effect(operation: operation, hasEnded: true)
            }
            if storage.snapshot.state == .paused { storage.snapshot.state = .running }
            publishState(&storage)
            return Effect(task: storage.task, wakers: storage.parking.removeAll())
        }
        guard let effect else { return }
        effect.task?.cancel()
        for waker in effect.wakers { waker() }
        // The queue passes over it when its turn comes; until then nothing of the job is in it.
        effect.operation?.cancel()
        if effect.hasEnded { conclude() }
        if !access.progress.isCancelled { access.progress.cancel() }
    }

    private struct Effect {
        var operation: JobOperation?
        var task: Task<Void, Never>?
        var wakers: [@Sendable () -> Void] = []
        var hasEnded = false
    }

    /// Lets the job stand still at the next pause point of its work, or not begin.
    ///
    /// One that has begun keeps its place in the queue's number of running jobs, since its work keeps its thread.
    public func pause() {
        storage.withLock { storage in
            guard [.waiting, .running].contains(storage.snapshot.state), !storage.snapshot.isCancelled else { return }
            storage.snapshot.state = .paused
            publishState(&storage)
        }
    }

    /// Lets a paused job go on.
    public func resume() {
        let wakers = storage.withLock { storage -> [@Sendable () -> Void]? in
            guard storage.snapshot.state == .paused else { return nil }
            storage.snapshot.state = storage.hasBegun ? .running : .waiting
            publishState(&storage)
            return storage.parking.removeAll()
        }
        guard let wakers else { return }
        for waker in wakers { waker() }
        enqueue()
    }

    /// Does what Foundation's object was asked for. Its handlers are called later and in no order, so only its state counts.
    func followProgress() {
        if access.progress.isPaused { pause() } else { resume() }
    }

    /// Wakes work that waits, to look again whether it may go on.
    func wake() {
        let wakers = storage.withLock { $0.parking.removeAll() }
        for waker in wakers { waker() }
    }
}
