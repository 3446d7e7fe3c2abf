import Foundation

/// The lock of one record among processes: `flock` on a file beside it, which ends with the process however that ends.
///
/// The file is removed while it is locked, so who locks one must see whether it still has its name.
final class RecordLock: Sendable {
    private let descriptor: Int32
    private let path: String

    /// Locks.
    ///
    /// - Throws: ``JobError``: `recordInUse` while another one has the lock.
    init(_ path: String) throws {
        self.path = path
        for _ in 0..<100 {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
            guard descriptor >= 0 else { throw JobError.file(path, "opened") }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let number = errno
                close(descriptor)
                guard number == EWOULDBLOCK else { throw JobError.file(path, "locked", number) }
                throw JobError(.recordInUse, "another process, or another job of this one, has the record of \(path)")
            }
            if Self.isNamed(descriptor, path) {
                self.descriptor = descriptor
                return
            }
            close(descriptor)
        }
        throw JobError(.recordInUse, "others remove \(path) again and again")
    }

    deinit { close(descriptor) }

    /// Removes the file of the lock, whose record is gone.
    func remove() { unlink(path) }

    private static func isNamed(_ descriptor: Int32, _ path: String) -> Bool {
        var (own, named) = (stat(), stat())
        return fstat(descriptor, &own) == 0 && lstat(path, &named) == 0
            && (own.st_dev, own.st_ino) == (named.st_dev, named.st_ino)
    }

    /// Whether another one has the lock. A claim at that moment is repeated: see `JobJournal.claim(_:)`.
    static func isHeld(_ path: String) -> Bool {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }
}
