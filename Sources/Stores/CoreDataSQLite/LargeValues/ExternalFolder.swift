import CoreDataSQL

/// The folder of a store's large values, opened component by component, so that no symbolic link leads out of it.
///
/// File names come from the store's rows, and other programs may have created the folders: every access is relative to
/// an open folder and follows no symbolic link.
package final class ExternalFolder {
    package let descriptor: Int32

    /// - Throws: `ExternalDataError` if a component is missing and `makesFolders` is false, or is not a folder.
    package init(store: URL, makesFolders: Bool) throws {
        let name = store.deletingPathExtension().lastPathComponent
        var current = open(store.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        for part in [".\(name)_SUPPORT", "_EXTERNAL_DATA"] where current >= 0 {
            let isRefused = makesFolders && mkdirat(current, part, 0o755) != 0 && errno != EEXIST
            let refusal = errno
            let next = openat(current, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            // If the folder could not be created, that error says more than its absence.
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

    /// Opens a regular file with a single hard link, and returns its size; symbolic links are refused.
    ///
    /// - Throws: `ExternalDataError` for any other file, and for one with more than `limit` bytes.
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

    /// Writes a new file, which is synchronized to disk when this method returns.
    ///
    /// - Throws: `ExternalDataError`; no file remains then.
    func write(_ data: Data, name: String) throws {
        try write(name: name) { put in try data.withUnsafeBytes { try put($0) } }
    }

    /// Writes a new file from parts that `fill` passes one after the other; it is synchronized to disk when this method
    /// returns.
    ///
    /// - Throws: `ExternalDataError`, and what `fill` throws; no file remains then.
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

    /// Whether the folder contains an item with the name.
    func has(_ name: String) -> Bool { faccessat(descriptor, name, F_OK, 0) == 0 || errno == ELOOP }

    /// Copies a file of another folder in parts, and replaces an existing file atomically.
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

    /// Moves files to another folder; the moves are synchronized to disk when this method returns.
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
