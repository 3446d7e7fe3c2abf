import CoreDataSQL

/// Creates a file atomically, by writing it under another name in the same folder first.
struct FilePlacement {
    let url: URL

    private var folder: URL { url.deletingLastPathComponent() }

    /// Passes the path of a temporary file to `body`; afterwards, removes the file if it still exists.
    ///
    /// - Throws: `NSPersistentStoreOpenError` if no file can be created in the folder.
    func withTemporaryFile(_ body: (String) throws -> Void) throws {
        try checkFolder()
        let owner = TemporaryStoreOwner(for: url, purpose: "creating")
        let temporary = owner.temporary.path
        defer {
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(temporary + suffix) }
            owner.release()
        }
        try body(temporary)
    }

    /// Gives the complete file its final name, unless that name is in use; returns whether it did.
    @discardableResult
    func publish(_ temporary: String) throws -> Bool {
        if link(temporary, url.path) != 0 {
            if errno == EEXIST { return false }
            // On file systems without hard links, the file is renamed.
            guard !FileManager.default.fileExists(atPath: url.path), rename(temporary, url.path) == 0 else {
                throw failure("the file cannot be given its name", errno, hint: "Look at the folder's permissions.")
            }
        }
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return true }
        fsync(descriptor)
        close(descriptor)
        return true
    }

    private func checkFolder() throws {
        var status = stat()
        guard stat(folder.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw failure(
                "there is no folder '\(folder.path)' to make it in", errno == 0 ? ENOTDIR : errno,
                hint: "Make the folder first.")
        }
        guard access(folder.path, W_OK | X_OK) == 0 else {
            throw failure(
                "the folder '\(folder.path)' cannot be written", errno, hint: "Change the folder's permissions.")
        }
    }

    private func failure(_ reason: String, _ code: Int32, hint: String) -> NSError {
        StoreErrors.unusable(
            url, reason, hint: hint,
            underlying: NSError(
                domain: NSPOSIXErrorDomain, code: Int(code),
                userInfo: [NSLocalizedDescriptionKey: String(cString: strerror(code))]))
    }
}
