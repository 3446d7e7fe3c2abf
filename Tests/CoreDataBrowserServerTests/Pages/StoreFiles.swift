import CoreData
import Testing

/// The files of one SQLite store, which tests move, copy and damage while the store is open.
struct StoreFiles {
    private static let suffixes = ["", "-wal", "-shm"]

    let url: URL

    /// Gives the files other names.
    func move(to other: URL) throws {
        for suffix in Self.suffixes { try rename(url.path + suffix, other.path + suffix) }
    }

    /// Copies what a store that nobody writes to has; what is shared between processes is made anew.
    func copy(to other: URL) throws {
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: url.path + suffix) {
            try FileManager.default.copyItem(atPath: url.path + suffix, toPath: other.path + suffix)
        }
    }

    /// Removes the files.
    func remove() {
        for suffix in Self.suffixes { unlink(url.path + suffix) }
    }

    /// Writes something else over all pages, in the file and in its log.
    func damage() throws {
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: url.path + suffix) {
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: url.path + suffix))
            let size = try handle.seekToEnd()
            try handle.seek(toOffset: 0)
            try handle.write(contentsOf: Data(repeating: 0xA5, count: Int(size)))
            try handle.close()
        }
    }

    private func rename(_ path: String, _ other: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        try FileManager.default.moveItem(atPath: path, toPath: other)
    }
}
