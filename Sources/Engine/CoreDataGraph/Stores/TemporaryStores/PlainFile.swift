import CoreDataStore

/// Destroys, replaces and publishes stores of types that are one plain file each.
enum PlainFile {
    static func destroy(_ url: URL) throws {
        guard exists(url) else { return }
        try requireRegular(url)
        try FileManager.default.removeItem(at: url)
    }

    /// Copies the source under a temporary name and renames the copy, so that at any time the old or the new file
    /// exists.
    static func replace(_ destination: URL, with source: URL) throws {
        guard exists(source) else {
            throw CoreDataError.make(
                NSPersistentStoreOpenError, "The store '\(source.path)' cannot be copied: there is no such file.",
                hint: "Check the path.", userInfo: [NSFilePathErrorKey: source.path])
        }
        try requireRegular(source)
        if exists(destination) { try requireRegular(destination) }
        let owner = TemporaryStoreOwner(for: destination, purpose: "replacing")
        let temporary = owner.temporary
        // After the renaming, nothing is left to remove.
        defer {
            try? FileManager.default.removeItem(at: temporary)
            owner.release()
        }
        try FileManager.default.copyItem(at: source.resolvingSymlinksInPath(), to: temporary)
        guard rename(temporary.path, destination.path) == 0 else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "The store '\(destination.path)' cannot be replaced.",
                reason: String(cString: strerror(errno)), hint: "Look at the permissions of the file and its folder.",
                userInfo: [NSFilePathErrorKey: destination.path])
        }
    }

    /// Renames a finished file to its final name, and throws if a file of that name exists.
    static func publish(_ temporary: URL, as url: URL) throws {
        guard
            link(temporary.path, url.path) == 0
                || errno != EEXIST && !exists(url) && rename(temporary.path, url.path) == 0
        else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "The store '\(url.path)' cannot be given its name.",
                reason: String(cString: strerror(errno)),
                hint: "Look at what is there, and at the folder's permissions.",
                userInfo: [NSFilePathErrorKey: url.path])
        }
        unlink(temporary.path)
    }

    static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

    private static func requireRegular(_ url: URL) throws {
        var status = stat()
        guard stat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "'\(url.path)' is no regular file, so it is no store.",
                hint: "Give the path of a store's file.", userInfo: [NSFilePathErrorKey: url.path])
        }
    }
}
