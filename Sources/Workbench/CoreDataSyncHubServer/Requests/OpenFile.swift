import Foundation

/// A file that is open for reading; that it is removed or replaced does not change what is read.
final class OpenFile: Sendable {
    private let descriptor: Int32
    let size: Int

    /// Opens a plain file.
    ///
    /// - Throws: `HubRefusal` if there is none, or it cannot be read.
    init(_ path: String) throws {
        descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw errno == ENOENT ? HubRefusal.notFound : HubRefusal.disk(errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw HubRefusal.notFound
        }
        size = Int(status.st_size)
    }

    deinit { close(descriptor) }

    /// Another descriptor of the file, which its taker closes; nil if the system has none left.
    func copy() -> Int32? {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        return copy >= 0 ? copy : nil
    }
}
