import CoreDataSQL
import SQLiteKit
import Synchronization

/// The files of large values beside a store.
///
/// A value of an attribute that allows external storage begins with a byte: 1 before the value itself, 2 before the
/// name of a file, a UUID of 36 characters followed by a zero byte. Files: `.<Store>_SUPPORT/_EXTERNAL_DATA/<UUID>`
/// beside the store. Source: stores that Apple's framework wrote, and programs that read them.
///
/// Invariants:
/// 1. A file is complete and synchronized before the row that names it is committed (`ExternalDataWriter`).
/// 2. A file is removed only after the change or deletion of the row that named it has been committed; `replaced`
///    contains the files of the rows that the current transaction changes.
package final class ExternalData {
    /// Values with more bytes are stored in a file.
    static let threshold = 100 * 1024
    /// The number of bytes of a stored value that names a file.
    static let nameSize = 38
    /// Larger files are not read.
    static let greatestSize = 1 << 30

    private let store: URL
    private var replaced: [String] = []
    /// The files that saves within one transaction have replaced, until the transaction ends; nil outside of a
    /// transaction.
    private var replacedByGroup: [String]?
    /// The files that writers have written for saves within one transaction; nil outside of a transaction.
    private let written = Mutex<[String]?>(nil)

    package init(store: URL) { self.store = store }

    /// Returns a writer; if it writes for grouped saves that are rolled back, `finishGroup` removes its files.
    func writer() -> ExternalDataWriter { ExternalDataWriter(store: store, noting: note) }

    private func note(_ name: String) { written.withLock { $0?.append(name) } }

    /// Begins a transaction with several saves.
    func beginGroup() {
        replacedByGroup = []
        written.withLock { $0 = [] }
    }

    /// Ends a transaction with several saves: removes the files that they replaced if it was committed, else the files
    /// that they wrote.
    func finishGroup(wasCommitted: Bool) {
        let names = written.withLock { names in
            defer { names = nil }
            return names ?? []
        }
        replaced = wasCommitted ? replacedByGroup ?? [] : names
        replacedByGroup = nil
        finish(wasCommitted: true)
    }

    func value(stored bytes: UnsafeRawBufferPointer) throws -> Data {
        switch bytes.first {
        case nil: return Data()
        case 1: return Data(bytes.dropFirst())
        case 2:
            let (handle, size) = try openFile(stored: bytes)
            return handle.readData(ofLength: size)
        default: throw ExternalDataError(reason: "it begins with neither of the two known bytes")
        }
    }

    /// Records the files that a row names which is about to be changed or deleted.
    func markReplaced(in query: Statement, key: Int64) throws {
        try query.bind(key, at: 1)
        try markReplaced(in: query)
    }

    /// Records the files that a query's rows name, which are about to be changed or deleted.
    func markReplaced(in query: Statement) throws {
        while try query.step() {
            for column in 0..<query.columnCount where query.columnType(column) == .blob {
                if let name = Self.name(in: query.blobBytes(column)) { replaced.append(name) }
            }
        }
    }

    /// Ends a transaction: removes the files that it replaced if it was committed; otherwise they stay.
    func finish(wasCommitted: Bool) {
        if replacedByGroup != nil {
            if wasCommitted { replacedByGroup?.append(contentsOf: replaced) }
            replaced = []
            return
        }
        let superfluous = wasCommitted ? replaced : []
        replaced = []
        guard !superfluous.isEmpty, let folder = try? ExternalFolder(store: store, makesFolders: false) else { return }
        superfluous.forEach(folder.remove)
    }

    /// Returns the file name in a stored value; nil if the value is in the row itself, or the name is not a UUID.
    private static func name(in bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.first == 2 else { return nil }
        let name = String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
        return name.utf8.count == 36 && UUID(uuidString: name) != nil ? name : nil
    }

    /// Opens the file that a stored value names, and returns its size. The name comes from an untrusted store, so it
    /// must be a UUID.
    package func openFile(stored bytes: UnsafeRawBufferPointer) throws -> (handle: FileHandle, size: Int) {
        guard let name = Self.name(in: bytes) else {
            throw ExternalDataError(reason: "its file is not named by a UUID")
        }
        return try ExternalFolder(store: store, makesFolders: false).openFile(name, limit: Self.greatestSize)
    }
}
