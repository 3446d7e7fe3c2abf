import CoreDataSQL
import SQLiteKit
import Synchronization

/// The files beside a store that hold its large values.
///
/// A value of an attribute that allows it begins with a byte: 1 before the value itself, 2 before the name of a file,
/// a UUID of 36 characters with a zero behind it. Files: `.<Store>_SUPPORT/_EXTERNAL_DATA/<UUID>` beside the store.
/// Source: found in stores that Apple's framework wrote, and in programs that read them.
///
/// Invariants:
/// 1. A file is complete and on the disk before the row that names it is committed (`ExternalDataWriter`).
/// 2. A file is removed only after the row that named it has been changed or deleted for good; `replaced` are those
///    whose rows the present transaction changes.
package final class ExternalData {
    /// Values above this size, in bytes, go to a file.
    static let threshold = 100 * 1024
    /// The bytes of a stored value that names a file.
    static let nameSize = 38
    /// No larger file is read.
    static let greatestSize = 1 << 30

    private let store: URL
    private var replaced: [String] = []
    /// What saves that are parts of one transaction have replaced, until that ends; nil outside of one.
    private var replacedByGroup: [String]?
    /// The files that writers have put there for the saves of one transaction; nil outside of one.
    private let written = Mutex<[String]?>(nil)

    package init(store: URL) { self.store = store }

    /// A writer, whose files go with the others if it writes for a group of saves that does not count.
    func writer() -> ExternalDataWriter { ExternalDataWriter(store: store, noting: note) }

    private func note(_ name: String) { written.withLock { $0?.append(name) } }

    /// Begins a transaction of several saves.
    func beginGroup() {
        replacedByGroup = []
        written.withLock { $0 = [] }
    }

    /// Ends a transaction of several saves: removes the files that they replaced if it was committed, else those that they wrote.
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

    /// Remembers the files that a row names which is about to be changed or deleted.
    func markReplaced(in query: Statement, key: Int64) throws {
        try query.bind(key, at: 1)
        try markReplaced(in: query)
    }

    /// Remembers the files that the rows of a query name, which are about to be changed or deleted.
    func markReplaced(in query: Statement) throws {
        while try query.step() {
            for column in 0..<query.columnCount where query.columnType(column) == .blob {
                if let name = Self.name(in: query.blobBytes(column)) { replaced.append(name) }
            }
        }
    }

    /// Ends a transaction: the files that it replaced go when it was committed, and stay when it was not.
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

    /// The name in a stored value; nil for a value that stands in the row itself, and for what is not a UUID.
    private static func name(in bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.first == 2 else { return nil }
        let name = String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
        return name.utf8.count == 36 && UUID(uuidString: name) != nil ? name : nil
    }

    /// Opens the file that a stored value names, and returns its size; the name comes from the store, so it must be a UUID to be
    /// accepted.
    package func openFile(stored bytes: UnsafeRawBufferPointer) throws -> (handle: FileHandle, size: Int) {
        guard let name = Self.name(in: bytes) else {
            throw ExternalDataError(reason: "its file is not named by a UUID")
        }
        return try ExternalFolder(store: store, makesFolders: false).openFile(name, limit: Self.greatestSize)
    }
}
