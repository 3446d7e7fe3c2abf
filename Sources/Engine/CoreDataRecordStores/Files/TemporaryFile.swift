import CoreDataStore

/// The next version of a store's file: written beside the store, and moved to its place when complete.
///
/// Invariant: until `publish` has succeeded, the store's file is unchanged. A crash can leave a file `.<UUID>.saving`
/// with its owner file, which are removed when the store is next opened or saved.
final class TemporaryFile {
    private static let pieceSize = 1 << 18

    private let owner: TemporaryStoreOwner
    private var path: String { owner.temporary.path }
    private let operations: FileOperations
    private var descriptor: Int32
    private var buffer: [UInt8] = []
    private(set) var offset = 0
    private var checksum: UInt = 0
    private var isPublished = false

    /// - Parameter place: the path of the store with symbolic links resolved.
    init(beside place: String, mode: mode_t?, _ operations: FileOperations) throws {
        let owner = TemporaryStoreOwner(for: URL(fileURLWithPath: place), purpose: "saving")
        self.owner = owner
        self.operations = operations
        let path = owner.temporary.path
        descriptor = Int32(
            try operations.call(.create, path: path) {
                Int(Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644))
            })
        guard let mode else { return }
        do {
            try operations.call(.mode, path: path) { Int(fchmod(descriptor, mode & 0o7777)) }
        } catch {
            discard()
            throw error
        }
    }

    deinit { discard() }

    func write(_ bytes: [UInt8]) throws {
        offset += bytes.count
        buffer += bytes
        if buffer.count >= Self.pieceSize { try flush() }
    }

    /// Copies a range of the file from which the store was read.
    func copy(_ range: Range<Int>, of file: RecordFile) throws {
        var start = range.lowerBound
        while start < range.upperBound {
            let piece = try file.read(at: start, count: min(Self.pieceSize, range.upperBound - start))
            guard !piece.isEmpty else {
                throw FileFailure(step: .read, path: file.path, code: EIO)
            }
            try write(piece)
            start += piece.count
        }
    }

    private func flush() throws {
        var done = 0
        while done < buffer.count {
            done += try buffer.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
                return try operations.call(.write, path: path) {
                    Foundation.write(descriptor, rest.baseAddress, rest.count)
                }
            }
        }
        checksum = RecordFile.sum(buffer, checksum)
        buffer.removeAll(keepingCapacity: true)
    }

    /// Moves the file to the store's path; both the contents and the name are flushed to disk when this returns.
    ///
    /// - Parameter former: the file at that path; nil if no file must exist there.
    func publish(as place: String, replacing former: RecordFile?) throws -> RecordFile {
        try flush()
        try operations.call(.synchronize, path: path) { Int(fsync(descriptor)) }
        let mark = try FileMark.of(descriptor, path: path, operations: operations)
        if former == nil {
            try operations.call(.publish, path: place) { Int(link(path, place)) }
            unlink(path)
        } else {
            try operations.call(.publish, path: place) { Int(rename(path, place)) }
        }
        // From here on the new file is the store, and later failures cannot undo that.
        isPublished = true
        owner.release()
        let file = RecordFile(
            path: place, descriptor: descriptor, mark: mark, checksum: checksum, operations)
        descriptor = -1
        file.renewMark()
        synchronizeFolder(of: place)
        return file
    }

    /// Flushes the folder, so that the new name of the file is on disk; a failure is only logged.
    private func synchronizeFolder(of place: String) {
        let folder = (place as NSString).deletingLastPathComponent
        do {
            let descriptor = try operations.call(.synchronizeFolder, path: folder) {
                Int(Foundation.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
            }
            defer { close(Int32(descriptor)) }
            try operations.call(.synchronizeFolder, path: folder) { Int(fsync(Int32(descriptor))) }
        } catch {
            let reason = (error as? FileFailure)?.text ?? ""
            CoreDataLogging.report(
                .warning, "'\(place)' was saved, but its folder could not be written to the disk: \(reason)",
                metadata: [CoreDataLogging.MetadataKey.store: place])
        }
    }

    private func discard() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
        if !isPublished { unlink(path) }
        owner.release()
    }
}
