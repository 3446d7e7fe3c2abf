import CoreDataModeling
import Synchronization

/// The file beside a temporary file that shows others whether the process that makes the temporary file still lives.
///
/// The temporary file is `.<UUID>.<purpose>`, the file `.<UUID>.<purpose>-owner` with the name of the store that the temporary file is made for;
/// after a zero byte the name that the temporary file will get, where that is another one, as a backup's is.
/// Invariants:
/// 1. The file is locked (`flock`) from before there is a temporary file until after it is gone, so a lock that can be had means that the
///    owner was killed. The temporary file itself is never locked: closing the descriptor would release SQLite's own locks.
/// 2. A process locks such a file before removing it, so an owner that locked a removed file sees that it is unlinked.
package final class TemporaryStoreOwner {
    /// The temporary files of this process, for the code that ends it.
    private static let temporaries = Mutex<Set<String>>([])

    /// Where the temporary file is to be made.
    package let temporary: URL
    private var descriptor: Int32 = -1

    /// Removes what killed processes have left of temporary files for the store, and claims the name of a new one.
    ///
    /// Where the folder cannot be written or its file system has no locks, no file is made; making the temporary file reports the reason.
    /// - Parameter place: the name that the temporary file will get beside the store, unless it takes the store's.
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

    /// Notes that the temporary file has been published or removed.
    package func release() {
        _ = Self.temporaries.withLock { $0.remove(temporary.path) }
        guard descriptor >= 0 else { return }
        unlink(temporary.path + Self.suffix)
        close(descriptor)
        descriptor = -1
    }

    /// Removes what there is of the temporary file.
    package func discard() {
        AbandonedStores.removeFiles(of: temporary.lastPathComponent, in: temporary.deletingLastPathComponent().path)
        release()
    }

    /// Removes all temporary files of this process, which is about to end.
    package static func removeAll() {
        for path in temporaries.withLock({ $0 }) {
            let temporary = URL(fileURLWithPath: path)
            AbandonedStores.removeFiles(of: temporary.lastPathComponent, in: temporary.deletingLastPathComponent().path)
            unlink(path + suffix)
        }
    }

    package static let suffix = "-owner"

    /// Makes and locks the file; -1 where that is not possible.
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
            // Another process may have taken the file for an abandoned one before it was locked.
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
    /// Removes what killed processes have left of temporary files for a store; making a new one does so itself.
    package static func removeAbandoned(of store: URL) { AbandonedStores.remove(of: store) }
}
