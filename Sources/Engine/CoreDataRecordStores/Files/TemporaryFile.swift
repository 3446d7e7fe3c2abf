import CoreDataStore

/// The next state of a store's file, written beside it and moved to its place when it is complete.
///
/// Invariant: until `publish` has succeeded, nothing at the store's place has changed; what a crash can leave is a file named
/// `.<UUID>.saving` and that of its owner, which the next opening or save of the store removes.
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

    /// - Parameter place: where the store is, with symbolic links followed.
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

    /// Copies a part of the file that the store was read from.
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

    /// Puts the file in its place, on the disk when this returns.
    ///
    /// - Parameter former: the file that is there; nil where there must be none.
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
        // From here on the new file is the store: nothing that fails can take that back.
        isPublished = true
        owner.release()
        let file = RecordFile(
            path: place, descriptor: descriptor, mark: mark, checksum: checksum, operations)
        descriptor = -1
        file.renewMark()
        synchronizeFolder(of: place)
        return file
    }

    /// Sees to it that the name is on the disk too.
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
