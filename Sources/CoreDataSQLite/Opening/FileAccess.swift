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
            try Self.copyDatabase(path, to: self.path)
            for suffix in ["-wal", "-journal"] where FileManager.default.fileExists(atPath: path + suffix) {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: self.path + suffix)
            }
        } catch {
            remove()
            throw error
        }
    }

    /// Copies the database's own file without dropping the locks that this process may hold on it.
    private static func copyDatabase(_ path: String, to target: String) throws {
        guard let bytes = DatabaseBytes(path: path),
            FileManager.default.createFile(
                atPath: target, contents: nil, attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forWritingAtPath: target)
        else { throw CocoaError(.fileReadUnknown, userInfo: [NSFilePathErrorKey: path]) }
        defer { try? file.close() }
        let portion = 1 << 20
        for start in stride(from: 0, to: bytes.count, by: portion) {
            guard let part = bytes.read(start..<start + portion) else {
                throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: path])
            }
            try file.write(contentsOf: part)
        }
    }

    deinit { remove() }

    // What cannot be removed is in the temporary folder, which the system clears.
    private func remove() { try? FileManager.default.removeItem(at: folder) }
}
