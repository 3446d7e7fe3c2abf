import CoreData
import Synchronization

/// What a job leaves: its result, or a file that is fetched once it has ended.
final class JobOutcome: Sendable {
    /// A file in the temporary folder, removed with the outcome or before.
    struct File: Sendable {
        let url: URL
        /// What the person's browser saves it as.
        let name: String
        let type: String
        /// Keeps the file's folder.
        let folder: ScratchFolder
        let made = ContinuousClock.now
    }

    private struct State {
        var result: JSONValue?
        var file: File?
        var isFileRemoved = false
    }

    /// Cancelled when the job is.
    let cancellation = ReadCancellation()
    private let state = Mutex(State())

    var result: JSONValue? { state.withLock { $0.result } }
    var file: File? { state.withLock { $0.file } }

    func set(_ result: JSONValue) { state.withLock { $0.result = result } }
    func set(_ file: File) { state.withLock { $0.file = file } }

    /// Whether there was a file that has been removed since.
    var isFileRemoved: Bool { state.withLock { $0.isFileRemoved } }

    /// Removes the file when its last reader has ended.
    func removeFile() {
        let file = state.withLock { state in
            defer { (state.file, state.isFileRemoved) = (nil, state.isFileRemoved || state.file != nil) }
            return state.file
        }
        withExtendedLifetime(file) {}
    }
}
