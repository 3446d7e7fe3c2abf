import CoreDataSQL
import SQLiteKit

/// How a store's file is opened for reading only, so that the file stays as it is to the byte.
///
/// | beside the file | how it is read |
/// |---|---|
/// | a rollback journal that was not played back | a private copy, in which SQLite plays it back |
/// | a write-ahead log with content and its index | in place: its owner may be alive, and locks are honoured |
/// | a write-ahead log with content alone | a private copy when no file may appear beside it, else in place |
/// | nothing, and the file is in write-ahead mode | as immutable when no file may appear beside it, else in place |
/// | nothing, and it is not | in place |
enum FileAccess {
    case inPlace
    case immutable
    case privateCopy

    /// `leavesTraces` says whether SQLite's own files may appear beside the store.
    static func forReading(_ path: String, leavesTraces: Bool) -> FileAccess {
        if size(path + "-journal") > 0 { return .privateCopy }
        let hasIndex = FileManager.default.fileExists(atPath: path + "-shm")
        let hasLog = FileManager.default.fileExists(atPath: path + "-wal")
        let folder = (path as NSString).deletingLastPathComponent
        let mayWrite = leavesTraces && FileManager.default.isWritableFile(atPath: folder.isEmpty ? "." : folder)
        if size(path + "-wal") > 0 { return hasIndex || mayWrite ? .inPlace : .privateCopy }
        // The header is looked at last, and never while a connection of this process may be open: closing a second
        // descriptor of the file would drop that connection's locks.
        guard !(hasLog && hasIndex), !mayWrite, isInWriteAheadMode(path) else { return .inPlace }
        return .immutable
    }

    static func size(_ path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }

    /// Bytes 18 and 19 of the header are 2 in write-ahead mode. Source: SQLite's file format.
    private static func isInWriteAheadMode(_ path: String) -> Bool {
        guard let handle = FileHandle(forReadingAtPath: path) else { return false }
        defer { handle.closeFile() }
        let header = handle.readData(ofLength: 20)
        return header.count == 20 && header[18] == 2
    }
}

/// A copy of a store's files in a folder of its own, removed when the copy is let go of.
final class PrivateCopy {
    let path: String
    private let folder: URL

    init(of path: String) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-\(UUID().uuidString)")
        self.path = folder.appendingPathComponent("store.sqlite").path
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        do {
            for suffix in ["", "-wal", "-journal"] where FileManager.default.fileExists(atPath: path + suffix) {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: self.path + suffix)
            }
        } catch {
            remove()
            throw error
        }
    }

    deinit { remove() }

    // What cannot be removed is in the temporary folder, which the system clears.
    private func remove() { try? FileManager.default.removeItem(at: folder) }
}
