import Foundation

/// The bytes of a picture, in memory or in a file of which only the places that are asked for are read; nil for what is not there.
struct PictureBytes {
    private enum Source {
        case memory(Data)
        case file(FileHandle)
    }

    private let source: Source
    /// The number of bytes.
    let count: Int

    init(_ data: Data) {
        source = .memory(data)
        count = data.count
    }

    /// - Throws: ``PictureFileError`` with `unreadable`.
    init(file: URL) throws {
        do {
            let handle = try FileHandle(forReadingFrom: file)
            guard let end = Int(exactly: try handle.seekToEnd()) else { throw CocoaError(.fileReadTooLarge) }
            source = .file(handle)
            count = end
        } catch {
            throw PictureFileError.unreadable("'\(file.lastPathComponent)' cannot be read")
        }
    }

    /// Bytes from a place; nil unless all of them are there.
    func bytes(_ place: Int, _ length: Int) -> [UInt8]? {
        guard place >= 0, length >= 0, length <= count, place <= count - length else { return nil }
        switch source {
        case .memory(let data):
            let start = data.startIndex + place
            return Array(data[start..<start + length])
        case .file(let handle):
            guard (try? handle.seek(toOffset: UInt64(place))) != nil,
                let read = try? handle.read(upToCount: length), read.count == length
            else { return nil }
            return Array(read)
        }
    }

    func byte(_ place: Int) -> Int? { bytes(place, 1).map { Int($0[0]) } }

    func has(_ text: String, at place: Int) -> Bool {
        let expected = Array(text.utf8)
        return bytes(place, expected.count) == expected
    }

    /// An unsigned number, the most significant byte first.
    func big(_ place: Int, _ length: Int) -> Int? {
        guard length <= 7 else { return nil }
        return bytes(place, length)?.reduce(0) { $0 << 8 | Int($1) }
    }

    /// An unsigned number, the least significant byte first.
    func little(_ place: Int, _ length: Int) -> Int? {
        guard length <= 7 else { return nil }
        return bytes(place, length)?.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
