import CoreDataGraph
import Foundation

/// When a context saves by itself. Used where its context is used.
final class Autosaver {
    var isEnabled = false
    var delay = Duration.milliseconds(100)
    /// The queue of the context; nil if it has none.
    var queue: DispatchQueue?
    /// Until when the changes have to be saved; nil if there are none.
    private var deadline: ContinuousClock.Instant?
    private var isScheduled = false

    /// Notes that there are changes; calls `save` on the queue when it is time to save them.
    ///
    /// - Returns: whether it is time already.
    func noteChanges(_ save: @escaping @Sendable () -> Void) -> Bool {
        let deadline = deadline ?? ContinuousClock.now + delay
        self.deadline = deadline
        guard let queue else { return ContinuousClock.now >= deadline }
        guard !isScheduled else { return false }
        isScheduled = true
        let seconds = max(0, (deadline - ContinuousClock.now) / .seconds(1))
        queue.asyncAfter(deadline: .now() + seconds, execute: save)
        return false
    }

    /// Notes that the save that was scheduled has begun.
    func begin() { isScheduled = false }

    /// Notes that there are no changes to save, or that they could not be saved.
    func finish() { deadline = nil }
}

extension ModelContext {
    /// Plans a save of the changes, if the context saves by itself.
    func changesWereProcessed() {
        guard autosaver.isEnabled, !isSaving else { return }
        guard records.hasChanges else { return autosaver.finish() }
        let records = records
        let isTime = autosaver.noteChanges { [weak records] in records?.owner?.runScheduledSave() }
        if isTime { saveAutomatically() }
    }

    /// Saves changes that have waited long enough, in a context without a queue.
    func saveIfDue() {
        if autosaver.isEnabled, autosaver.queue == nil { changesWereProcessed() }
    }

    private func runScheduledSave() {
        autosaver.begin()
        guard autosaver.isEnabled else { return }
        if records.hasChanges { saveAutomatically() } else { autosaver.finish() }
    }

    private func saveAutomatically() {
        autosaver.finish()
        do { try save() } catch {
            let error = error as NSError
            let reason = error.localizedFailureReason ?? error.localizedDescription
            CoreDataLogging.report(
                .error, "Changes could not be saved automatically: \(error.domain) \(error.code): \(reason)")
        }
    }
}
