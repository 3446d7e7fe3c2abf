import CoreDataSQL
import SQLiteKit
import Synchronization

/// Makes the index of a large store in a thread of its own, while the store is read and written.
///
/// It has connections of its own, and enters some hundred rows at a time, so that others do not wait long for it. Until it has
/// ended the index is in step with no state of the store.
final class SearchBuilding: Sendable {
    private struct Progress {
        var isCancelled = false
        var isFinished = false
        var isComplete = false
    }

    private let progress = Mutex(Progress())
    private let end = DispatchGroup()

    /// How long it waits for one who enters the texts of a save.
    private static let patience = Duration.seconds(10)
    /// How often the complete store is compared if others write meanwhile.
    private static let attempts = 3

    /// Begins to make the index.
    init(_ setup: SearchSetup, fileSystem: String?) {
        end.enter()
        Thread.detachNewThread { [self] in
            do {
                try build(setup, fileSystem)
                progress.withLock { $0.isComplete = true }
            } catch let error as SQLiteError where error.code.primary == .busy {
                // Another process makes it.
            } catch is SearchComparison.Cancelled {
                // What is missing is entered when the store is opened the next time.
            } catch {
                setup.turnOff(because: error)
            }
            progress.withLock { $0.isFinished = true }
            end.leave()
        }
    }

    var isFinished: Bool { progress.withLock { $0.isFinished } }

    /// Whether the index has all that the store had at some time since this began.
    var isComplete: Bool { progress.withLock { $0.isComplete } }

    /// Ends the work after the present portion, without waiting for that.
    func cancel() { progress.withLock { $0.isCancelled = true } }

    /// Ends the work after the present portion.
    func stop() {
        cancel()
        end.wait()
    }

    private func build(_ setup: SearchSetup, _ fileSystem: String?) throws {
        let file = try SearchFile(opening: setup.layout, storePath: setup.storePath, fileSystem: fileSystem)
        defer { file.close() }
        let comparison = SearchComparison(file: file, storePath: setup.storePath) { [self] in
            !progress.withLock { $0.isCancelled } && !setup.isFaulty
        }
        file.connection.setBusyTimeout(Self.patience)
        try comparison.enterInPortions()
        for _ in 0..<Self.attempts {
            file.connection.setBusyTimeout(Self.patience)
            if let state = try comparison.run() {
                if state.isSettled { return }
                // A file that was written to just now: a later write would not be seen in its times.
                usleep(UInt32(StoreState.grain / 1_000))
            }
        }
    }
}
