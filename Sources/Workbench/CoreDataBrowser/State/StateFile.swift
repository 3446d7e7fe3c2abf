import CoreData

/// Reads and writes small files of the state. A file is written as a whole: it has the old bytes or the new ones, even
/// if the program ends meanwhile.
enum StateFile {
    /// The file's bytes; nil if it does not exist.
    ///
    /// - Throws: `BrowserFailure` for a file that has more bytes than `limit`, or cannot be read.
    static func bytes(of file: URL, limit: Int) throws -> [UInt8]? {
        // Without `O_NONBLOCK`, opening a pipe would block the program.
        let descriptor = open(file.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno != ENOENT else { return nil }
            throw StateFolder.failure(file, String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, Int(facts.st_size) <= limit else {
            throw StateFolder.failure(file, "is not a file of at most \(limit) bytes")
        }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= limit {
            let count = read(descriptor, &piece, piece.count)
            if count == 0 { return bytes }
            guard count > 0 || errno == EINTR else {
                throw StateFolder.failure(file, String(cString: strerror(errno)))
            }
            bytes += piece.prefix(max(count, 0))
        }
        throw StateFolder.failure(file, "has more than \(limit) bytes")
    }

    /// Replaces a file by one with these bytes that only the user of this process can read.
    ///
    /// - Throws: `BrowserFailure`; then the former file is unchanged.
    static func write(_ bytes: [UInt8], to file: URL) throws {
        let temporary = file.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString).draft")
        let descriptor = open(temporary.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StateFolder.failure(file, String(cString: strerror(errno))) }
        var isDone = fill(descriptor, bytes) && fsync(descriptor) == 0
        var code = errno
        close(descriptor)
        if isDone {
            isDone = rename(temporary.path, file.path) == 0
            code = errno
        }
        guard isDone else {
            unlink(temporary.path)
            throw StateFolder.failure(file, String(cString: strerror(code)))
        }
        synchronizeFolder(of: file)
    }

    /// Writes the folder of a file to disk, so that a new file name in it is durable.
    static func synchronizeFolder(of file: URL) {
        let descriptor = open(file.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private static func fill(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
                return Foundation.write(descriptor, rest.baseAddress, rest.count)
            }
            guard count > 0 || errno == EINTR else { return false }
            done += max(count, 0)
        }
        return true
    }
}
