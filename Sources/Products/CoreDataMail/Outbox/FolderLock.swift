import CoreDataGraph

/// A lock that one process holds at a time, and that ends with the process.
final class FolderLock {
    private let descriptor: Int32

    /// Takes the lock; nil if another process, or another part of this one, has it.
    ///
    /// - Throws: ``MailError`` with `unusableFile`.
    init?(_ file: URL) throws {
        descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw MailMessage.failure(file, errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
    }

    func release() { close(descriptor) }
}
