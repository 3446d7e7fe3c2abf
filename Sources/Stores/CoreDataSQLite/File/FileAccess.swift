import CoreDataSQL
import SQLiteKit

/// How a store's file is opened for reading only, so that the file stays as it is to the byte.
///
/// | beside the file | how it is read |
/// |---|---|
/// | a rollback journal | in place, since it may be in use or empty; a private copy if SQLite would have to play it back |
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
