import CoreDataSQL

/// The folder of a store's large values, opened part by part so that no link leads out of it.
///
/// Names come from the store's rows, and the folders may have been made by others: every step is relative to an open
/// folder and follows no symbolic link.
package final class ExternalFolder {
    package let descriptor: Int32

    /// - Throws: `ExternalDataError` when a part is missing and not to be made, or is not a folder.
    package init(store: URL, makesFolders: Bool) throws {
        let name = store.deletingPathExtension().lastPathComponent
        var current = open(store.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        for part in [".\(name)_SUPPORT", "_EXTERNAL_DATA"] where current >= 0 {
            let isRefused = makesFolders && mkdirat(current, part, 0o755) != 0 && errno != EEXIST
            let refusal = errno
            let next = openat(current, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            // Why it could not be made tells more than that it is not there.
            let code = isRefused ? refusal : errno
            close(current)
            errno = code
            current = next
        }
        guard current >= 0 else {
            let reason =
                switch errno {
                case ENOENT where !makesFolders: "the folder of large values is missing"
                case ENOTDIR, ELOOP: "the folder of large values is none"
                default: "the folder of large values cannot be used"
                }
            throw ExternalDataError(reason: reason, code: errno)
        }
        descriptor = current
    }

    deinit { close(descriptor) }

    /// Opens a regular file that is not a link and has only one name, and tells its size.
    ///
    /// - Throws: `ExternalDataError` for anything else, or more than `limit` bytes.
    func openFile(_ name: String, limit: Int) throws -> (handle: FileHandle, size: Int) {
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            throw ExternalDataError(
                reason: errno == ENOENT
                    ? "its file is missing" : errno == ELOOP ? "its file is a link" : "its file cannot be opened")
        }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ExternalDataError(reason: "its file is not a regular one")
        }
        guard status.st_nlink == 1 else { throw ExternalDataError(reason: "its file has further names") }
        guard Int(status.st_size) <= limit else { throw ExternalDataError(reason: "its file is too large") }
        return (handle, Int(status.st_size))
    }

    /// Writes a new file that is on the disk when this returns.
    ///
    /// - Throws: `ExternalDataError`; no file is left behind then.
    func write(_ data: Data, name: String) throws {
        try write(name: name) { put in try data.withUnsafeBytes { try put($0) } }
    }

    /// Writes a new file of what a block hands over, one part after the other; it is on the disk when this returns.
    ///
    /// - Throws: `ExternalDataError`, and what the block throws; no file is left behind then.
    func write(name: String, _ fill: (_ put: (UnsafeRawBufferPointer) throws -> Void) throws -> Void) throws {
        let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw ExternalDataError(reason: "its file cannot be made", code: errno) }
        defer { close(file) }
        do {
            try fill { guard writeAll($0, to: file) else { throw Self.unwritable() } }
            guard fsync(file) == 0, fsync(descriptor) == 0 else { throw Self.unwritable() }
        } catch {
            unlinkat(descriptor, name, 0)
            throw error
        }
    }

    private static func unwritable() -> ExternalDataError {
        ExternalDataError(reason: "its file cannot be written", code: errno)
    }

    /// Whether there is something of a name.
    func has(_ name: String) -> Bool { faccessat(descriptor, name, F_OK, 0) == 0 || errno == ELOOP }

    /// Copies a file of another folder, one part after the other, over the one that may be there: either is whole at any time.
    func put(_ name: String, of other: ExternalFolder) throws {
        let (handle, size) = try other.openFile(name, limit: ExternalData.greatestSize)
        let temporary = UUID().uuidString
        try write(name: temporary) { put in try LongFileValue(file: handle, count: size).read(put) }
        guard renameat(descriptor, temporary, descriptor, name) == 0, fsync(descriptor) == 0 else {
            let code = errno
            remove(temporary)
            throw ExternalDataError(reason: "its file cannot be written", code: code)
        }
    }

    func remove(_ name: String) { unlinkat(descriptor, name, 0) }

    /// Moves files to another folder, where they are on the disk when this returns.
    ///
    /// - Throws: `ExternalDataError`; some of the files may have been moved then.
    func move(_ names: Set<String>, to other: ExternalFolder) throws {
        for name in names {
            guard renameat(descriptor, name, other.descriptor, name) == 0 else {
                throw ExternalDataError(reason: "its file cannot be moved", code: errno)
            }
        }
        guard fsync(other.descriptor) == 0 else {
            throw ExternalDataError(reason: "its file cannot be moved", code: errno)
        }
    }
}

private func writeAll(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Bool {
    var start = 0
    while start < bytes.count {
        let written = write(file, bytes.baseAddress.map { $0 + start }, bytes.count - start)
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { return false }
        start += written
    }
    return true
}
