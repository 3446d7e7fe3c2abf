import Foundation
import LockKit

extension Job {
    /// Calls a block with what is known now, and then with each change: of progress at most twice a second, of the state always, the
    /// last one included.
    ///
    /// The calls come one after another on a queue of the job, in the order of the changes. With the last one, whose state is an ended
    /// one, the observation is over.
    @discardableResult
    public func observe(_ handler: @escaping @Sendable (JobSnapshot) -> Void) -> Observation {
        let number = storage.withLock { storage -> Int? in
            let snapshot = storage.snapshot
            delivery.async { handler(snapshot) }
            return snapshot.state.isEnded ? nil : storage.addObserver(handler)
        }
        return Observation { [weak self] in
            guard let number else { return }
            self?.storage.withLock { $0.removeObserver(number) }
        }
    }

    /// What ``observe(_:)`` reports, as a sequence that ends with the job.
    public var updates: AsyncStream<JobSnapshot> {
        AsyncStream { continuation in
            let observation = observe { snapshot in
                continuation.yield(snapshot)
                if snapshot.state.isEnded { continuation.finish() }
            }
            continuation.onTermination = { _ in observation.cancel() }
        }
    }

    /// Publishes a change of state; the lock is held, so that the order is that of the changes.
    func publishState(_ storage: inout JobStorage) {
        storage.throttle.published(at: clock.now())
        publish(storage)
    }

    /// Publishes new progress, now or later; the lock is held.
    func publishProgress(_ storage: inout JobStorage) {
        switch storage.throttle.progressed(at: clock.now()) {
        case .skip: break
        case .publish: publish(storage)
        case .publishLater(let time): clock.after(time) { [weak self] in self?.publishDue() }
        }
    }

    private func publishDue() {
        storage.withLock { storage in
            guard !storage.snapshot.state.isEnded, storage.throttle.becameDue(at: clock.now()) else { return }
            publish(storage)
        }
    }

    private func publish(_ storage: JobStorage) {
        let (snapshot, handlers, entry, access) = (storage.snapshot, storage.handlers, entry, access)
        delivery.async {
            if !snapshot.state.isEnded {
                access.set(completed: snapshot.completedUnitCount, total: snapshot.totalUnitCount)
                entry?.noteProgress(snapshot)
            }
            for handler in handlers { handler(snapshot) }
        }
    }
}
