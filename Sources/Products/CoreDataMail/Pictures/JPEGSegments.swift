/// The segments of a JPEG: ISO/IEC 10918-1, annex B.
enum JPEGSegments {
    /// Kept: JFIF, colour profile, Adobe's colour mark. All other application segments and comments go.
    private static let profile = Array("ICC_PROFILE\0".utf8)

    static func cleaned(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
        var head: [UInt8] = []
        var result: [UInt8] = []
        var mark: UInt8?
        var place = 2
        while place + 4 <= bytes.count, bytes[place] == 0xFF {
            let kind = bytes[place + 1]
            // Fill bytes may stand before a marker.
            guard kind != 0xFF else {
                place += 1
                continue
            }
            guard kind != 0xD9 else { return nil }
            let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
            let end = place + 2 + length
            guard length >= 2, end <= bytes.count else { return nil }
            let content = bytes[(place + 4)..<end]
            switch kind {
            case 0xE0 where content.starts(with: Array("JFIF\0".utf8)): head += withoutThumbnail(content)
            case 0xE1:
                if content.starts(with: Array("Exif\0\0".utf8)) {
                    mark = mark ?? TurningMark.find(in: content.dropFirst(6))
                }
            case 0xE2 where content.starts(with: profile): result += bytes[place..<end]
            case 0xEE where content.starts(with: Array("Adobe".utf8)): result += bytes[place..<end]
            case 0xE0...0xEF, 0xFE: break
            default: result += bytes[place..<end]
            }
            place = end
            if kind == 0xDA {
                guard let scan = scans(bytes, from: place) else { return nil }
                let exif = mark.map { Array("Exif\0\0".utf8) + TurningMark.block($0) }
                let turning = exif.map { [0xFF, 0xE1, 0, UInt8($0.count + 2)] + $0 } ?? []
                return [0xFF, 0xD8] + head + turning + result + scan
            }
        }
        return nil
    }

    /// A JFIF segment may have a small picture; its first 14 bytes say the rest.
    private static func withoutThumbnail(_ content: ArraySlice<UInt8>) -> [UInt8] {
        guard content.count >= 14 else { return [] }
        return [0xFF, 0xE0, 0, 16] + content.prefix(12) + [0, 0]
    }

    /// The coded picture up to its end; what follows, such as a second picture or a film, is left. Segments between scans that carry no
    /// picture are left too.
    private static func scans(_ bytes: [UInt8], from start: Int) -> [UInt8]? {
        var result: [UInt8] = []
        var (place, kept) = (start, start)
        while place + 1 < bytes.count {
            guard bytes[place] == 0xFF else {
                place += 1
                continue
            }
            let kind = bytes[place + 1]
            switch kind {
            case 0x00, 0xD0...0xD7: place += 2
            case 0xFF: place += 1
            case 0xD9: return result + bytes[kept..<(place + 2)]
            default:
                guard place + 4 <= bytes.count else { return nil }
                let end = place + 2 + (Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]))
                guard end > place + 3, end <= bytes.count else { return nil }
                if (0xE0...0xEF).contains(kind) || kind == 0xFE {
                    result += bytes[kept..<place]
                    kept = end
                }
                place = end
            }
        }
        return nil
    }
}
