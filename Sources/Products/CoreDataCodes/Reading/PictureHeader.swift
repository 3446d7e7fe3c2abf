import Foundation

/// The format and the size in pixels of a picture, from its first bytes, without decoding it.
struct PictureHeader: Equatable {
    enum Format: String {
        case png, jpeg, gif
    }

    let format: Format
    let width: Int
    let height: Int

    /// Nil for data of another format, and without a size.
    init?(_ data: Data) {
        let bytes = data.prefix(1 << 20)
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            // The chunk IHDR comes first: its size in bytes and its name, width and height.
            guard let width = bytes.number(at: 16, 4), let height = bytes.number(at: 20, 4) else { return nil }
            self.init(.png, width, height)
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            guard let size = Self.sizeOfJPEG(bytes) else { return nil }
            self.init(.jpeg, size.width, size.height)
        } else if bytes.starts(with: Data("GIF8".utf8)) {
            guard let low = bytes.number(at: 6, 4) else { return nil }
            // Two numbers of two bytes, the lower byte first.
            let swapped = UInt32(truncatingIfNeeded: low).byteSwapped
            self.init(.gif, Int(swapped & 0xFFFF), Int(swapped >> 16))
        } else {
            return nil
        }
    }

    private init?(_ format: Format, _ width: Int, _ height: Int) {
        guard width > 0, height > 0 else { return nil }
        (self.format, self.width, self.height) = (format, width, height)
    }

    /// The size in the first frame header, which follows segments of known lengths.
    private static func sizeOfJPEG(_ bytes: Data) -> (width: Int, height: Int)? {
        var position = 2
        while let marker = bytes.number(at: position, 2), marker >> 8 == 0xFF {
            let kind = marker & 0xFF
            // Filling bytes before a marker.
            if kind == 0xFF {
                position += 1
                continue
            }
            // 0xC0 to 0xCF begin a frame, but for tables (C4, CC) and an extension (C8).
            if (0xC0...0xCF).contains(kind), ![0xC4, 0xC8, 0xCC].contains(kind) {
                guard let height = bytes.number(at: position + 5, 2), let width = bytes.number(at: position + 7, 2)
                else { return nil }
                return (width, height)
            }
            guard let length = bytes.number(at: position + 2, 2), length >= 2 else { return nil }
            position += 2 + length
        }
        return nil
    }
}

extension Data {
    /// A number of some bytes, the highest first; nil beyond the end.
    fileprivate func number(at offset: Int, _ count: Int) -> Int? {
        guard offset >= 0, offset + count <= self.count else { return nil }
        return self[(startIndex + offset)..<(startIndex + offset + count)].reduce(0) { $0 << 8 | Int($1) }
    }
}
