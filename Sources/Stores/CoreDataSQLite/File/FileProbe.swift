import CoreDataSQL
import SQLiteKit
import Synchronization

/// Checks a store's file through a separate connection, so that the check does not wait for saves or readers.
///
/// The store's own connections may have cached pages, so they would not notice that the file is missing, replaced,
/// truncated or unreadable.
///
/// `connect` may be called on any thread.
final class FileProbe: HealthProbing, @unchecked Sendable {
    /// How long to wait, in microseconds, before a file that is shorter than its header says is checked again: a
    /// program that writes a log back writes the header first.
    private static let pause: UInt32 = 20_000
    private static let looks = 10

    private let shape: StoreShape
    private let path: String
    private let place: FilePlace?
    /// Opens another connection to the file; nil if no other connection may be opened.
    private let connect: (() throws -> Connection)?
    /// The size of the file when it was last as long as its header says.
    private let greatestSize: Mutex<Int>

    init(_ shape: StoreShape, connect: (() throws -> Connection)?) {
        self.shape = shape
        self.connect = connect
        path = shape.url.path
        place = FilePlace(path)
        greatestSize = Mutex(FileAccess.size(path))
    }

    func probe(within limit: Duration) throws {
        try requireSameFile()
        try requireWholeFile()
        guard let connect else { return }
        do {
            let connection = try connect()
            defer { connection.close() }
            connection.setBusyTimeout(limit)
            try connection.setPragma("query_only", to: .integer(1))
            let recorded = try connection.value("SELECT Z_UUID FROM Z_METADATA")?.text
            // A file without an identifier gets one with the next save.
            guard let recorded, UUID(uuidString: recorded) != nil, recorded != shape.store.identifier else { return }
            throw failure("it is another store, with the identity \(recorded)", StoreErrors.reopen)
        } catch let error as SQLiteError {
            throw StoreErrors.cocoaError(error, at: shape.url, during: "be read")
        }
    }

    private func requireSameFile() throws {
        guard let present = FilePlace(path) else {
            guard errno == ENOENT || errno == ENOTDIR else {
                throw failure("its file cannot be looked at", "Look at the folders above it.")
            }
            throw failure("its file was deleted or renamed", StoreErrors.restore)
        }
        guard present == place else { throw failure("its file was replaced by another", StoreErrors.reopen) }
    }

    private func requireWholeFile() throws {
        for look in 1...Self.looks {
            let size = FileAccess.size(path)
            guard let described = Self.describedSize(path) else {
                throw failure("its file was cut off or written over", StoreErrors.restore)
            }
            guard size < described else { return greatestSize.withLock { $0 = size } }
            // If a process was killed while it wrote a log back, the file is shorter than its header says, but not than
            // before.
            guard size < greatestSize.withLock({ $0 }) else { return }
            if look < Self.looks { usleep(Self.pause) }
        }
        throw failure("its file was cut off", StoreErrors.restore)
    }

    /// Returns the size that the header states; nil if there is no header. Source: SQLite's file format, 1.3.
    private static func describedSize(_ path: String) -> Int? {
        let header = DatabaseBytes.first(100, of: path)
        guard header.count == 100, header.starts(with: Array("SQLite format 3".utf8)) else { return nil }
        func number(_ offset: Int, _ count: Int) -> Int {
            header[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
        }
        // The page count is valid only if the same program wrote it that wrote the file last.
        guard number(24, 4) == number(92, 4) else { return 0 }
        let pageSize = number(16, 2)
        return number(28, 4) * (pageSize == 1 ? 65_536 : pageSize)
    }

    private func failure(_ reason: String, _ hint: String) -> NSError {
        CoreDataError.make(
            NSPersistentStoreOperationError, "The store '\(shape.url.path)' cannot be read: \(reason).", reason: reason,
            hint: hint, userInfo: [NSFilePathErrorKey: shape.url.path])
    }
}

extension StoreFile {
    /// Checks the file through a separate connection; nil for a store in memory.
    package var healthProbing: (any HealthProbing)? { probe }
}

extension StoreFile: Checkpointing {
    package var checkpointing: (any Checkpointing)? { isReadOnly || copy != nil ? nil : self }

    package func checkpoint() throws {
        try reporting("have its log written back") {
            // Does not wait for other connections: what they do not block is written back.
            connection.setBusyTimeout(.zero)
            do {
                try connection.checkpoint(.truncate)
            } catch let error as SQLiteError where [.busy, .locked].contains(error.code.primary) {
                return
            }
        }
    }
}
