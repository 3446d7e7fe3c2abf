import Foundation

/// Bytes of items that are too many for the memory, in a file that is removed with the spool.
final class Spool {
    private let url: URL
    private let handle: FileHandle
    private var end: UInt64 = 0

    /// Bytes that were kept.
    struct Place {
        fileprivate let spool: Spool
        fileprivate let offset: UInt64
        let count: Int

        /// - Throws: An error of the system.
        func bytes() throws -> [UInt8] {
            try spool.handle.seek(toOffset: offset)
            let data = try spool.handle.read(upToCount: count) ?? Data()
            guard data.count == count else { throw CocoaError(.fileReadCorruptFile) }
            return Array(data)
        }
    }

    /// - Throws: An error of the system if the folder for temporary files cannot be written.
    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("sync-\(UUID().uuidString)")
        guard
            FileManager.default.createFile(
                atPath: url.path, contents: nil, attributes: [.posixPermissions: NSNumber(value: 0o600)])
        else { throw CocoaError(.fileWriteUnknown) }
        handle = try FileHandle(forUpdating: url)
    }

    deinit {
        try? handle.close()
        try? FileManager.default.removeItem(at: url)
    }

    /// Keeps bytes.
    ///
    /// - Throws: An error of the system, as for want of room.
    func keep(_ bytes: [UInt8]) throws -> Place {
        try handle.seek(toOffset: end)
        try handle.write(contentsOf: Data(bytes))
        defer { end += UInt64(bytes.count) }
        return Place(spool: self, offset: end, count: bytes.count)
    }
}
