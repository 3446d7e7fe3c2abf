import CoreData
import Synchronization

/// What a job leaves: its result, or a file that is fetched once it has ended.
final class JobOutcome: Sendable {
    /// A file in the temporary folder, removed with the outcome.
    struct File: Sendable {
        let url: URL
        /// What the person's browser saves it as.
        let name: String
        let type: String
        /// Keeps the file's folder.
        let folder: ScratchFolder
    }

    private struct State {
        var result: JSONValue?
        var file: File?
    }

    /// Cancelled when the job is.
    let cancellation = ReadCancellation()
    private let state = Mutex(State())

    var result: JSONValue? { state.withLock { $0.result } }
    var file: File? { state.withLock { $0.file } }

    func set(_ result: JSONValue) { state.withLock { $0.result = result } }
    func set(_ file: File) { state.withLock { $0.file = file } }
}
