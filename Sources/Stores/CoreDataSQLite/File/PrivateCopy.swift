import CoreDataSQL
import SQLiteKit

/// A copy of a store's files in a folder of its own, removed when the copy is released.
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

    /// Copies the database file without closing a descriptor of it, which would drop this process's locks on the file.
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

    // If removing fails, the system clears the temporary folder.
    private func remove() { try? FileManager.default.removeItem(at: folder) }
}
