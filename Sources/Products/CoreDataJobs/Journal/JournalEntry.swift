import Foundation
import LockKit

/// The record of one job in a journal, which this process alone has until the entry is released or its process ends.
///
/// Handed to a ``Job``, it follows the job and is removed when the job ends: finished, cancelled or failed. An entry that is released
/// before leaves the record, which is then offered again.
public final class JournalEntry: Sendable {
    /// The least time between two times that progress is noted without a checkpoint.
    static let progressInterval = Duration.seconds(5)

    private struct State {
        var record: JobRecord
        var noted = ContinuousClock.now
        var isRemoved = false
    }

    private let path: String
    private let lock: RecordLock
    private let state: Locked<State>

    init(_ record: JobRecord, at path: String, lock: RecordLock) {
        (self.path, self.lock) = (path, lock)
        state = Locked(State(record: record))
    }

    /// What is noted.
    public var record: JobRecord { state.withLock { $0.record } }

    /// Notes where the work is to be resumed.
    ///
    /// - Throws: ``JobError``.
    func save(_ checkpoint: Data, _ snapshot: JobSnapshot) throws {
        try update { record in
            record.checkpoint = checkpoint
            record.take(snapshot)
        }
    }

    /// Notes progress if the last time is some seconds ago. What cannot be written is left: the record before it holds.
    func noteProgress(_ snapshot: JobSnapshot) {
        guard state.withLock({ ContinuousClock.now - $0.noted >= Self.progressInterval }) else { return }
        try? update { $0.take(snapshot) }
    }

    /// Writes the record as it is.
    func write() throws { try update { _ in } }

    private func update(_ change: (inout JobRecord) -> Void) throws {
        try state.withLock { state in
            guard !state.isRemoved else { return }
            var record = state.record
            change(&record)
            try JournalFile.write(record.encoded(), to: path)
            state.record = record
            state.noted = ContinuousClock.now
        }
    }

    /// Removes the record: the job has ended, or is not to be resumed.
    public func remove() {
        state.withLock { state in
            guard !state.isRemoved else { return }
            state.isRemoved = true
            JournalFile.remove(path)
            lock.remove()
        }
    }
}

extension JobRecord {
    fileprivate mutating func take(_ snapshot: JobSnapshot) {
        (completedUnitCount, totalUnitCount) = (snapshot.completedUnitCount, snapshot.totalUnitCount)
    }
}
