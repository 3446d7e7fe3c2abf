import CoreDataModeling
import Synchronization

/// The owner file beside a temporary file: it shows other processes whether the process that makes the temporary file
/// still runs.
///
/// The temporary file is `.<UUID>.<purpose>`, the owner file `.<UUID>.<purpose>-owner`. The owner file contains the
/// name of the store for which the temporary file is made and, if the temporary file will get another name (as a backup
/// does), a zero byte and that name.
/// Invariants:
/// 1. The owner file is locked (`flock`) from before the temporary file is created until after it is gone: if another
///    process can lock the owner file, its owner has ended. The temporary file itself is never locked with `flock`:
///    closing its descriptor would release SQLite's locks.
/// 2. A process locks an owner file before it removes it; an owner that locked an already removed file sees that it has
///    no links.
package final class TemporaryStoreOwner {
    /// The paths of the temporary files of this process, for the code that runs when the process ends.
    private static let temporaries = Mutex<Set<String>>([])

    /// The URL at which the temporary file is to be created.
    package let temporary: URL
    private var descriptor: Int32 = -1

    /// Removes the store's temporary files that killed processes left behind, and creates the owner file of a new one.
    ///
    /// If the folder is not writable or its file system has no locks, no owner file is created; creating the temporary
    /// file then reports the reason.
    /// - Parameter place: the final URL of the temporary file beside the store; nil if the temporary file replaces the
    ///   store.
    package init(for store: URL, purpose: String, place: URL? = nil) {
        AbandonedStores.remove(of: store)
        let folder = store.deletingLastPathComponent()
        temporary = folder.appendingPathComponent(".\(UUID().uuidString).\(purpose)")
        descriptor = Self.claim(
            temporary.path + Self.suffix,
            for: store.lastPathComponent + (place.map { "\0" + $0.lastPathComponent } ?? ""))
        _ = Self.temporaries.withLock { $0.insert(temporary.path) }
    }

    deinit { release() }

    /// Removes the owner file; called once the temporary file has been moved to its final name or removed.
    package func release() {
        _ = Self.temporaries.withLock { $0.remove(temporary.path) }
        guard descriptor >= 0 else { return }
        unlink(temporary.path + Self.suffix)
        close(descriptor)
        descriptor = -1
    }

    /// Removes the files of the temporary store, and the owner file.
    package func discard() {
        AbandonedStores.removeFiles(of: temporary.lastPathComponent, in: temporary.deletingLastPathComponent().path)
        release()
    }

    /// Removes all temporary files of this process; called when the process is about to end.
    package static func removeAll() {
        for path in temporaries.withLock({ $0 }) {
            let temporary = URL(fileURLWithPath: path)
            AbandonedStores.removeFiles(of: temporary.lastPathComponent, in: temporary.deletingLastPathComponent().path)
            unlink(path + suffix)
        }
    }

    package static let suffix = "-owner"

    /// Creates and locks the owner file; returns -1 if that is not possible.
    private static func claim(_ path: String, for names: String) -> Int32 {
        for _ in 0..<10 {
            let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644)
            guard file >= 0 else { return -1 }
            var status = stat()
            let name = Array(names.utf8)
            guard flock(file, LOCK_EX) == 0 else {
                unlink(path)
                close(file)
                return -1
            }
            // Before the lock was taken, another process may have removed the file as abandoned; the loop then tries
            // again.
            if fstat(file, &status) == 0, status.st_nlink > 0, write(file, name, name.count) == name.count {
                return file
            }
            if status.st_nlink > 0 { unlink(path) }
            close(file)
        }
        return -1
    }
}

extension TemporaryStoreOwner {
    /// Removes the temporary files of a store that killed processes left behind; `init(for:purpose:place:)` does so
    /// too.
    package static func removeAbandoned(of store: URL) { AbandonedStores.remove(of: store) }
}
