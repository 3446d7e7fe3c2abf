import CoreDataSQL
import Glibc

/// Reads a file whose name comes from outside.
enum RegularFile {
    /// The whole content of a regular file that is not a link and has only one name.
    ///
    /// - Throws: `ExternalDataError` for anything else, or more than `limit` bytes.
    static func read(_ path: String, limit: Int) throws -> Data {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw ExternalDataError(reason: errno == ENOENT ? "its file is missing" : "its file cannot be opened")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ExternalDataError(reason: "its file is not a regular one")
        }
        guard status.st_nlink == 1 else { throw ExternalDataError(reason: "its file has further names") }
        guard Int(status.st_size) <= limit else { throw ExternalDataError(reason: "its file is too large") }
        return handle.readData(ofLength: Int(status.st_size))
    }
}
