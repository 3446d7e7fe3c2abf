import Foundation

/// How long a sound plays, from the headers of its file: exact where the format says it, and without a process for each file.
///
/// Neither `exiftool`, which estimates from the bit rate, nor the container's duration of `ffprobe` is exact for these formats. Files that
/// these readers do not understand are left to `ffprobe`.
enum SoundLength {
    /// Seconds; nil for a file in another format, or one that is damaged.
    static func of(_ path: BytePath) -> Double? {
        let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let size = Int(status.st_size)
        let file = SoundFile(descriptor: descriptor, size: size)
        guard let head = file.bytes(at: 0, count: 12) else { return nil }
        if head.starts(with: Array("OggS".utf8)) { return OggLength.seconds(file) }
        if head.starts(with: Array("RIFF".utf8)) { return WAVLength.seconds(file) }
        let isMPEG = head.starts(with: Array("ID3".utf8)) || MPEGFrame(head, at: 0) != nil
        return isMPEG ? MPEGLength.seconds(file) : nil
    }
}

/// An open file, read in parts.
struct SoundFile {
    let descriptor: Int32
    let size: Int

    /// The bytes of a range; nil if the file does not have all of them.
    func bytes(at offset: Int, count: Int) -> [UInt8]? {
        guard offset >= 0, count >= 0, offset <= size, count <= size - offset,
            let bytes = FileBytes.read(descriptor, at: offset, count: count), bytes.count == count
        else { return nil }
        return bytes
    }

    /// The bytes of a range, cut off at the end of the file.
    func bytesUpToEnd(at offset: Int, count: Int) -> [UInt8] {
        guard offset >= 0, offset < size else { return [] }
        return FileBytes.read(descriptor, at: offset, count: min(count, size - offset)) ?? []
    }
}

extension [UInt8] {
    /// An unsigned number of so many bytes, the least significant first; nil beyond the end.
    func little(_ offset: Int, _ count: Int) -> UInt64? {
        guard offset >= 0, count <= 8, offset + count <= self.count else { return nil }
        return (0..<count).reduce(UInt64(0)) { $0 | UInt64(self[offset + $1]) << (8 * UInt64($1)) }
    }

    /// An unsigned number of so many bytes, the most significant first; nil beyond the end.
    func big(_ offset: Int, _ count: Int) -> UInt64? {
        guard offset >= 0, count <= 8, offset + count <= self.count else { return nil }
        return (0..<count).reduce(UInt64(0)) { $0 << 8 | UInt64(self[offset + $1]) }
    }

    func has(_ text: StaticString, at offset: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard offset >= 0, offset + count <= self.count else { return false }
        return (0..<count).allSatisfy { self[offset + $0] == text.utf8Start[$0] }
    }
}
