import CoreDataSQL
import SQLiteKit

/// Copies the file of a store that is not open to an unused location, together with its large values.
///
/// If the file system lets files share their blocks (Btrfs, XFS), the copy takes neither time nor space; otherwise
/// SQLite copies the pages. The copy gets its final name once it is complete, synchronized to disk, and checked.
struct SQLiteStoreCopy {
    let source: URL
    let destination: URL

    /// - Throws: `NSMigrationError` if the store is open, `NSPersistentStoreOpenError` if the file is not a store or is
    ///   damaged, and others of `NSCocoaErrorDomain`; nothing is left at the destination then.
    func run() throws {
        if let refusal = DatabaseFile(path: source.path).refusal(mayBeMissing: false) {
            throw StoreErrors.refused(refusal, source)
        }
        do {
            try copy()
        } catch let error as SQLiteError {
            guard [.busy, .locked].contains(error.code.primary) else {
                throw StoreErrors.cocoaError(error, at: source, during: "be copied")
            }
            throw CoreDataError.make(
                NSMigrationError,
                "The store '\(source.path)' cannot be copied: another coordinator or process has it open.",
                hint: "Close it there first.",
                underlying: StoreErrors.cocoaError(error, at: source, during: "be copied"),
                userInfo: [NSFilePathErrorKey: source.path])
        }
    }

    private func copy() throws {
        // Closing a descriptor drops all of the process's locks on the file, so it is closed after the connection.
        var file = OpenFile()
        defer { file.close() }
        let connection = try Connection.open(source.path, OpenOptions(mode: .readWrite))
        defer { connection.close() }
        // With write-ahead logging, exclusive locking fails if any other connection has the file open.
        try connection.setPragma("locking_mode", to: .text("exclusive"))
        try SQLiteStoreOpening.requireStore(connection, source)
        let names = try ExternalFiles.names(in: connection)
        _ = try connection.checkpoint(.truncate)
        let placement = FilePlacement(url: destination)
        try placement.withTemporaryFile { temporary in
            do {
                let isCloned = try connection.transaction(.exclusive) {
                    guard FileAccess.size(source.path + "-wal") == 0 else { return false }
                    file = OpenFile(reading: source.path)
                    return file.clone(to: temporary)
                }
                if !isCloned { try connection.backUp(toNewFile: temporary) }
                try finish(temporary)
                try copyLargeValues(names)
                guard try placement.publish(temporary) else {
                    throw StoreErrors.unusable(destination, "a file of this name exists already", hint: "Try again.")
                }
            } catch {
                ExternalFiles.remove(names, of: destination)
                throw error
            }
        }
    }

    /// Checks that the copy can be opened and is not damaged, and synchronizes it to disk.
    private func finish(_ temporary: String) throws {
        let url = URL(fileURLWithPath: temporary)
        let (connection, copy) = try SQLiteStoreOpening.connectForReading(url, leavesTraces: false)
        defer { connection.close() }
        try withExtendedLifetime(copy) {
            _ = try StoreMetadata.read(connection, source)
            guard let fault = try connection.quickFaults(limit: 1).first else { return }
            throw StoreErrors.unusable(source, "the file is damaged (\(fault))", hint: StoreErrors.restore)
        }
        guard OpenFile.synchronize(temporary) else {
            throw StoreErrors.unusable(destination, "its file cannot be written", hint: "Make room, then try again.")
        }
    }

    /// Copies the files of large values; those that the store's folder lacks are skipped.
    private func copyLargeValues(_ names: Set<String>) throws {
        guard !names.isEmpty, let folder = try? ExternalFolder(store: source, makesFolders: false) else { return }
        let target = try ExternalFolder(store: destination, makesFolders: true)
        for name in names.sorted() where folder.has(name) {
            if try target.clone(name, of: folder) { continue }
            try target.put(name, of: folder)
        }
    }
}

/// A descriptor of a file of which the complete content is copied.
private struct OpenFile {
    private var descriptor: Int32 = -1

    init() {}

    init(reading path: String) { descriptor = open(path, O_RDONLY | O_CLOEXEC) }

    mutating func close() {
        if descriptor >= 0 { systemClose(descriptor) }
        descriptor = -1
    }

    /// Creates a file that shares the blocks of this one; returns false if the file system does not support that.
    func clone(to path: String) -> Bool {
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else { return false }
        let copy = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, status.st_mode & 0o777)
        guard copy >= 0 else { return false }
        defer { systemClose(copy) }
        guard SharedBlocks.clone(descriptor, to: copy) else {
            unlink(path)
            return false
        }
        return true
    }

    static func synchronize(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { systemClose(descriptor) }
        return fsync(descriptor) == 0
    }
}

private func systemClose(_ descriptor: Int32) { close(descriptor) }
