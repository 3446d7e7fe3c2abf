import CZlib
import CoreDataStore

/// An open file of a store, in the state in which the store read or wrote it.
///
/// The descriptor stays open, so that the store can copy parts of this file even after another file has taken its name.
final class RecordFile {
    /// The path with symbolic links resolved.
    let path: String
    let descriptor: Int32
    private(set) var mark: FileMark
    /// The checksum of the entire file.
    private(set) var checksum: UInt
    private let operations: FileOperations

    init(
        path: String, descriptor: Int32, mark: FileMark, checksum: UInt, _ operations: FileOperations
    ) {
        (self.path, self.descriptor, self.mark) = (path, descriptor, mark)
        (self.checksum, self.operations) = (checksum, operations)
    }

    deinit { close(descriptor) }

    /// Opens a file for reading; returns nil if it does not exist. `checksum` is valid once the file has been read with
    /// `reader()`.
    static func open(_ url: URL, _ operations: FileOperations) throws -> RecordFile? {
        let descriptor: Int
        do {
            // Without `O_NONBLOCK`, opening a special file such as a pipe could block.
            descriptor = try operations.call(.open, path: url.path) {
                Int(Foundation.open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
            }
        } catch let failure as FileFailure where failure.code == ENOENT {
            return nil
        }
        let path = realpath(url.path, nil).map { resolved in
            defer { free(resolved) }
            return String(cString: resolved)
        }
        do {
            let mark = try FileMark.of(Int32(descriptor), path: url.path, operations: operations)
            return RecordFile(
                path: path ?? url.path, descriptor: Int32(descriptor), mark: mark, checksum: 0, operations)
        } catch {
            close(Int32(descriptor))
            throw error
        }
    }

    /// Returns a function that reads the file in pieces from its beginning, and computes `checksum` meanwhile.
    func reader() -> () throws -> [UInt8] {
        var offset = 0
        checksum = crc32(0, nil, 0)
        return { [self] in
            let piece = try read(at: offset, count: 1 << 18)
            offset += piece.count
            checksum = Self.sum(piece, checksum)
            return piece
        }
    }

    /// Reads `count` bytes at an offset, or fewer at the end of the file.
    func read(at offset: Int, count: Int) throws -> [UInt8] {
        guard count > 0 else { return [] }
        var done = 0
        let bytes = try [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
            while done < count {
                let part = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[done...])
                let got = try operations.call(.read, path: path) {
                    pread(descriptor, part.baseAddress, part.count, off_t(offset + done))
                }
                if got == 0 { break }
                done += got
            }
            used = done
        }
        return bytes
    }

    static func sum(_ bytes: some Collection<UInt8>, _ start: UInt) -> UInt {
        bytes.withContiguousStorageIfAvailable { buffer in
            buffer.isEmpty ? start : crc32_z(start, buffer.baseAddress, z_size_t(buffer.count))
        } ?? start
    }

    // MARK: Changes by others

    /// Updates the mark to the file's present state. If that fails, the old mark stays: `isUnchanged(at:)` then
    /// compares checksums.
    func renewMark() {
        if let present = try? FileMark.of(descriptor, path: path, operations: operations) { mark = present }
    }

    /// Whether the file at a path has the same contents as this one when it was read, even if it has been copied or
    /// touched since.
    func isUnchanged(at path: String) throws -> Bool {
        guard let present = try FileMark.of(path: path, operations) else { return false }
        if present == mark { return true }
        guard present.isRegular, present.size == mark.size,
            let other = try RecordFile.open(URL(fileURLWithPath: path), operations)
        else { return false }
        let next = other.reader()
        while try !next().isEmpty {}
        guard other.checksum == checksum else { return false }
        if present.inode == mark.inode, present.device == mark.device { mark = present }
        return true
    }

    /// Locks the file, so that other users of this library cannot publish a new version; closing the file unlocks it.
    func lock(waiting seconds: Double) throws {
        let end = ContinuousClock.now + .seconds(seconds)
        while true {
            do {
                try operations.call(.lock, path: path) { Int(flock(descriptor, LOCK_EX | LOCK_NB)) }
                return
            } catch let failure as FileFailure where failure.code == EWOULDBLOCK && ContinuousClock.now < end {
                usleep(2_000)
            }
        }
    }

    func unlock() { flock(descriptor, LOCK_UN) }
}
