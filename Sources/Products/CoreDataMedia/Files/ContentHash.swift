import CoreDataModeling
import Foundation

/// What a file's contents are recognized by when it has moved: a SHA-256 digest of the size and of parts of the contents.
///
/// Files of up to 256 KiB are read whole, of others the first and the last 64 KiB and eight parts of 16 KiB between them, so that a film costs
/// as little as a song. Two files that differ elsewhere only have the same hash; that matters only if one of them vanishes in the
/// scan in which the other appears.
enum ContentHash {
    private static let (whole, edge, part, parts) = (256 << 10, 64 << 10, 16 << 10, 8)

    /// The digest in hexadecimal digits; nil if the file cannot be read.
    static func of(_ path: BytePath) -> String? {
        let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let size = Int(status.st_size)
        var bytes = withUnsafeBytes(of: UInt64(size).littleEndian) { Array($0) }
        for range in ranges(of: size) {
            guard let read = FileBytes.read(descriptor, at: range.lowerBound, count: range.count) else { return nil }
            bytes += read
        }
        return SHA2.sha256(bytes).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }

    private static func ranges(of size: Int) -> [Range<Int>] {
        guard size > whole else { return [0..<size] }
        let step = (size - 2 * edge) / parts
        let middle = (0..<parts).map { index in
            let start = edge + index * step
            return start..<(start + min(part, step))
        }
        return [0..<edge] + middle + [(size - edge)..<size]
    }
}

/// Reading parts of files.
enum FileBytes {
    /// The bytes at an offset, fewer at the end of the file; nil on an error.
    static func read(_ descriptor: Int32, at offset: Int, count: Int) -> [UInt8]? {
        guard count > 0 else { return [] }
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let base = buffer.baseAddress {
                let got = pread(descriptor, base + filled, count - filled, off_t(offset + filled))
                if got < 0, errno == EINTR { continue }
                if got < 0 { failed = true }
                guard got > 0 else { break }
                filled += got
            }
        }
        return failed ? nil : bytes
    }
}
