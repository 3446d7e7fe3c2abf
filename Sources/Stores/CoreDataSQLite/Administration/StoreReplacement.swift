import CoreDataSQL
import SQLiteKit

/// Replaces one store with a copy of another.
///
/// If the destination exists, SQLite overwrites it with the pages of the source in one transaction: locks are
/// respected, and after a crash the journal restores the old store. Otherwise the copy is made under a temporary name
/// and then renamed. Files of large values are written before the rows that refer to them, and those of the old store
/// are removed last.
struct StoreReplacement {
    let source: URL
    let destination: URL
    /// The options of the destination.
    let options: [AnyHashable: Any]

    /// - Throws: `NSPersistentStoreOpenError` if either file is not a store, and others of `NSCocoaErrorDomain`.
    func run() throws {
        for url in [source, destination] where !url.isFileURL || MemoryPlace(url) != nil {
            throw StoreErrors.unusable(url, "it is not in a file", hint: "Give a file URL.")
        }
        try requireDifferentFiles()
        guard !StoreMaintenance.isSet(NSReadOnlyPersistentStoreOption, in: options) else {
            throw StoreErrors.unusable(
                destination, "it is to be read only", hint: "Leave \(NSReadOnlyPersistentStoreOption) out.")
        }
        let (from, copy) = try reporting(source) {
            try SQLiteStoreOpening.connectForReading(source, leavesTraces: false)
        }
        defer { from.close() }
        try withExtendedLifetime(copy) {
            try reporting(source) { try check(from) }
            // One read transaction makes the rows consistent with the files that they refer to.
            try reporting(source) { try from.transaction(.deferred) { try replace(from) } }
        }
    }

    private func requireDifferentFiles() throws {
        var (one, other) = (stat(), stat())
        guard stat(source.path, &one) == 0, stat(destination.path, &other) == 0 else { return }
        guard one.st_dev != other.st_dev || one.st_ino != other.st_ino else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "The store '\(source.path)' cannot be replaced with itself.",
                hint: "Give two different files.", userInfo: [NSFilePathErrorKey: source.path])
        }
    }

    /// Refuses a damaged source, which must not replace an intact store.
    private func check(_ from: Connection) throws {
        try SQLiteStoreOpening.requireStore(from, source)
        _ = try StoreMetadata.read(from, source)
        guard let fault = try from.quickFaults(limit: 1).first else { return }
        throw StoreErrors.unusable(source, "the file is damaged (\(fault))", hint: StoreErrors.restore)
    }

    private func replace(_ from: Connection) throws {
        let names = try reporting(source) { try ExternalFiles.names(in: from) }
        switch DatabaseFile(path: destination.path).refusal(mayBeMissing: false) {
        case .missing: try placeNew(from, names)
        case nil: try overwrite(from, names)
        case let refusal?: throw StoreErrors.unusable(destination, refusal.rawValue, hint: "Choose another place.")
        }
    }

    private func placeNew(_ from: Connection, _ names: Set<String>) throws {
        let placement = FilePlacement(url: destination)
        try placement.withTemporaryFile { temporary in
            do {
                try reporting(destination) { try from.backUp(toNewFile: temporary) }
                try ExternalFiles.copy(names, from: source, to: destination)
                guard try placement.publish(temporary) else {
                    throw StoreErrors.unusable(
                        destination, "something has taken its place meanwhile, or it is a link that leads nowhere",
                        hint: "Try again.")
                }
            } catch {
                ExternalFiles.remove(names, of: destination)
                throw error
            }
        }
    }

    private func overwrite(_ from: Connection, _ names: Set<String>) throws {
        var open = OpenOptions(mode: .readWrite)
        open.busyTimeout = SQLiteStoreOpening.busyTimeout(options) ?? open.busyTimeout
        let to = try reporting(destination) { try Connection.open(destination.path, open) }
        defer { to.close() }
        let former = try reporting(destination) {
            if try !SQLiteStoreOpening.isBlank(to) { try SQLiteStoreOpening.requireStore(to, destination) }
            return try ExternalFiles.names(in: to)
        }
        do {
            try ExternalFiles.copy(names, from: source, to: destination)
            try matchPageSize(of: to, with: from)
            try from.backUp(to: to)
        } catch {
            ExternalFiles.remove(names.subtracting(former), of: destination)
            guard let error = error as? SQLiteError else { throw error }
            throw StoreErrors.cocoaError(error, at: destination, during: "be replaced")
        }
        ExternalFiles.remove(former.subtracting(names), of: destination)
        SearchLayout.removeFiles(ofStore: destination.path)
        _ = try? to.checkpoint(.truncate)
    }

    /// Leaves write-ahead mode if the page sizes differ, since a file in that mode cannot change its page size. Fails
    /// if another connection has the file open.
    private func matchPageSize(of to: Connection, with from: Connection) throws {
        guard try to.pragma("page_size")?.integer != from.pragma("page_size")?.integer else { return }
        try to.setPragma("journal_mode", to: .text("delete"))
    }

    private func reporting<Result>(_ url: URL, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw StoreErrors.cocoaError(error, opening: url)
        }
    }
}
