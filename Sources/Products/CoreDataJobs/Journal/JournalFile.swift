import Foundation

/// Calls of the system on the files of a journal.
enum JournalFile {
    /// Writes a file that is complete or not there: under another name, to the disk, then renamed.
    ///
    /// - Throws: ``JobError``.
    static func write(_ data: Data, to path: String) throws {
        let temporary = path + ".new"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw JobError.file(temporary, "written") }
        var isWritten = false
        defer {
            close(descriptor)
            if !isWritten { unlink(temporary) }
        }
        try data.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let count = systemWrite(descriptor, rest)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw JobError.file(temporary, "written") }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
        guard fsync(descriptor) == 0, rename(temporary, path) == 0 else { throw JobError.file(path, "written") }
        isWritten = true
        synchronizeFolder(of: path)
    }

    /// Removes a file, for good when this returns, and what a killed process has left of writing it.
    static func remove(_ path: String) {
        unlink(path + ".new")
        if unlink(path) == 0 { synchronizeFolder(of: path) }
    }

    private static func synchronizeFolder(of path: String) {
        let folder = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    /// Reads a file of at most so many bytes; links and what is not a file are refused.
    ///
    /// - Throws: ``JobError``: `noRecord` if there is none.
    static func read(_ path: String, atMost limit: Int) throws -> Data {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { throw JobError(.noRecord, "\(path) is not there: the job has ended or was discarded") }
            throw JobError.file(path, "read")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw JobError(.damagedRecord, "it is not a file")
        }
        guard status.st_size <= limit else {
            throw JobError(.damagedRecord, "it has \(status.st_size) bytes, at most \(limit) are read")
        }
        do {
            return try file.read(upToCount: limit) ?? Data()
        } catch {
            throw JobError(.unusableFile, "\(path) cannot be read: \(error)")
        }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
