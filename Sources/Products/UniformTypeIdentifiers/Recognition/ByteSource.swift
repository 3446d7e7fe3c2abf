import Foundation

/// Bytes to recognize a type by: of a value in memory, or of a file of which only the places that are asked for are read.
protocol ByteSource {
    /// No more than `count` bytes from a place; fewer at the end, none behind it.
    func bytes(at offset: UInt64, count: Int) -> [UInt8]
}

extension Data: ByteSource {
    func bytes(at offset: UInt64, count: Int) -> [UInt8] {
        guard offset < UInt64(self.count) else { return [] }
        return Array(dropFirst(Int(offset)).prefix(count))
    }
}

/// A file that is open for reading.
struct FileByteSource: ByteSource {
    private let handle: FileHandle

    init(_ file: URL) throws { handle = try FileHandle(forReadingFrom: file) }

    func bytes(at offset: UInt64, count: Int) -> [UInt8] {
        // What cannot be read cannot be recognized.
        guard offset <= UInt64(Int64.max), (try? handle.seek(toOffset: offset)) != nil,
            let data = try? handle.read(upToCount: count)
        else { return [] }
        return Array(data)
    }
}
