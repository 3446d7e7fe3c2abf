import CoreDataSQL
import SQLiteKit

/// How a store's file is opened for reading without changing a byte of it.
///
/// | files beside the store | how it is read |
/// |---|---|
/// | a rollback journal | in place, as it may be in use or empty; from a private copy if it needs a rollback |
/// | a write-ahead log with content and its index | in place: a process may be using it, and locks are respected |
/// | a write-ahead log with content, no index | from a private copy if no file may be created, else in place |
/// | none, and the file is in write-ahead mode | as immutable if no file may be created, else in place |
/// | none, and it is not | in place |
enum FileAccess {
    case inPlace
    case immutable
    case privateCopy

    /// Returns how to open the file; `leavesTraces` says whether SQLite may create its own files beside the store.
    static func forReading(_ path: String, leavesTraces: Bool) -> FileAccess {
        let hasIndex = FileManager.default.fileExists(atPath: path + "-shm")
        let hasLog = FileManager.default.fileExists(atPath: path + "-wal")
        let folder = (path as NSString).deletingLastPathComponent
        let mayWrite = leavesTraces && FileManager.default.isWritableFile(atPath: folder.isEmpty ? "." : folder)
        if size(path + "-wal") > 0 { return hasIndex || mayWrite ? .inPlace : .privateCopy }
        guard !(hasLog && hasIndex), !mayWrite, size(path + "-journal") == 0, isInWriteAheadMode(path) else {
            return .inPlace
        }
        return .immutable
    }

    static func size(_ path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }

    /// Bytes 18 and 19 of the header are 2 in write-ahead mode. Source: SQLite's file format.
    private static func isInWriteAheadMode(_ path: String) -> Bool {
        let header = DatabaseBytes.first(20, of: path)
        return header.count == 20 && header[18] == 2
    }
}
