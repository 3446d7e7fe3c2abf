import CoreDataSQL
import SQLiteKit
import Synchronization

/// Builds the index of a large store on a thread of its own, while the store is read and written.
///
/// Uses its own connections, and enters some hundred rows per transaction, so that others need not wait long. Until it
/// has finished, the index is up to date with no state of the store.
final class SearchBuilding: Sendable {
    private struct Progress {
        var isCancelled = false
        var isFinished = false
        var isComplete = false
    }

    private let progress = Mutex(Progress())
    private let end = DispatchGroup()

    /// How long to wait for a connection that enters the texts of a save.
    private static let patience = Duration.seconds(10)
    /// How often the complete store is compared if other connections write meanwhile.
    private static let attempts = 3

    /// Begins to build the index.
    init(_ setup: SearchSetup, fileSystem: String?) {
        end.enter()
        Thread.detachNewThread { [self] in
            do {
                try build(setup, fileSystem)
                progress.withLock { $0.isComplete = true }
            } catch let error as SQLiteError where error.code.primary == .busy {
                // Another process is building the index.
            } catch is SearchComparison.Cancelled {
                // The rest is entered when the store is opened the next time.
            } catch {
                setup.turnOff(because: error)
            }
            progress.withLock { $0.isFinished = true }
            end.leave()
        }
    }

    var isFinished: Bool { progress.withLock { $0.isFinished } }

    /// Whether the index has all that the store contained at some time since the building began.
    var isComplete: Bool { progress.withLock { $0.isComplete } }

    /// Requests an end after the current portion, without waiting.
    func cancel() { progress.withLock { $0.isCancelled = true } }

    /// Ends the building after the current portion, and waits for that.
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
                // After a recent write, waits until a later write would change the file's timestamps.
                usleep(UInt32(StoreState.grain / 1_000))
            }
        }
    }
}
