import CoreDataSyncing
import Foundation

/// Keeps a second hub from using a folder, as long as it lives.
final class FolderLock: Sendable {
    private let descriptor: Int32

    /// - Throws: `SyncError` if another hub uses the folder, or it cannot be written.
    init(_ folder: String) throws {
        let descriptor = open(folder + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw SyncError(
                .transport, "The folder '\(folder)' cannot be written: \(String(cString: strerror(errno))).",
                cure: "Give the user of the hub the right to write it.")
        }
        // From here on `deinit` closes it, also after an error.
        self.descriptor = descriptor
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw SyncError(
                .transport, "Another hub uses the folder '\(folder)'.", cure: "End that one, or use another folder.")
        }
    }

    deinit { close(descriptor) }
}
