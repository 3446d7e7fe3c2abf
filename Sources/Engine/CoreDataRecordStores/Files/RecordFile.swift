import CZlib
import CoreDataStore

/// An open file of a store, as it was when the store read or wrote it.
///
/// The descriptor stays open, so that what was read can be copied from it even when its name leads to another file.
final class RecordFile {
    /// The path with symbolic links followed.
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

    /// Opens a file for reading; nil if it does not exist. Its checksum is valid once it has been read with `reader()`.
    static func open(_ url: URL, _ operations: FileOperations) throws -> RecordFile? {
        let descriptor: Int
        do {
            // Special files, such as pipes, must not block this call.
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

    /// Gives the file piece by piece from its beginning, and sums it up on the way.
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

    /// The bytes from a place, as many as there are and are wanted.
    func read(at offset: Int, count: Int) throws -> [UInt8] {
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

    /// Takes the mark that the file has now; one that cannot be had is made up for by the checksum.
    func renewMark() {
        if let present = try? FileMark.of(descriptor, path: path, operations: operations) { mark = present }
    }

    /// Whether the file at a path has what this one had when it was read, even if it was copied or touched since.
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

    /// Keeps others, who write in the same way, from publishing meanwhile; undone when the file is released.
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
