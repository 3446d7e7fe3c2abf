import UniformTypeIdentifiers

/// Reads the size and the turn of a picture where the format of each type has them.
enum PictureHeaders {
    static let types: Set<UTType> = [.png, .jpeg, .gif, .webP, .tiff, .bmp, .heic, .heif, .avif]

    /// The most segments, chunks and blocks that are looked at.
    private static let bound = 10_000

    /// The stored size and the turn, 1 to 8.
    static func read(_ bytes: PictureBytes, _ type: UTType) -> (PixelSize, Int)? {
        switch type {
        case .png: return png(bytes)
        case .jpeg: return jpeg(bytes)
        case .webP: return webP(bytes)
        case .tiff: return TIFFDirectory(bytes, at: 0).flatMap { tiff in tiff.size.map { ($0, tiff.orientation) } }
        case .heic, .heif, .avif: return HEIFBoxes.size(bytes).map { ($0, 1) }
        case .gif: return size(bytes.little(6, 2), bytes.little(8, 2)).map { ($0, 1) }
        case .bmp: return bitmap(bytes).map { ($0, 1) }
        default: return nil
        }
    }

    private static func size(_ width: Int?, _ height: Int?) -> PixelSize? {
        guard let width, let height else { return nil }
        return PixelSize(width: width, height: height)
    }

    private static func png(_ bytes: PictureBytes) -> (PixelSize, Int)? {
        guard bytes.has("IHDR", at: 12), let size = size(bytes.big(16, 4), bytes.big(20, 4)) else { return nil }
        var place = 8
        for _ in 0..<bound {
            guard let length = bytes.big(place, 4), let name = bytes.bytes(place + 4, 4) else { break }
            if name == Array("eXIf".utf8) {
                return (size, TIFFDirectory(bytes, at: place + 8)?.orientation ?? 1)
            }
            // EXIF may stand behind the pixels; who asks only for a turn does not read so far.
            if name == Array("IDAT".utf8) { break }
            place += 12 + length
        }
        return (size, 1)
    }

    /// The segments are skipped until the one of the frame.
    private static func jpeg(_ bytes: PictureBytes) -> (PixelSize, Int)? {
        var place = 2
        var orientation = 1
        for _ in 0..<bound {
            guard bytes.byte(place) == 0xFF, let kind = bytes.byte(place + 1) else { return nil }
            switch kind {
            case 0xFF: place += 1
            case 0x01, 0xD0...0xD7: place += 2
            // Frames, without the tables among their numbers.
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                return size(bytes.big(place + 7, 2), bytes.big(place + 5, 2)).map { ($0, orientation) }
            // The pixels or the end before any frame.
            case 0xD9, 0xDA: return nil
            default:
                guard let length = bytes.big(place + 2, 2), length >= 2 else { return nil }
                if kind == 0xE1, bytes.has("Exif\0\0", at: place + 4) {
                    orientation = TIFFDirectory(bytes, at: place + 10)?.orientation ?? orientation
                }
                place += 2 + length
            }
        }
        return nil
    }

    private static func webP(_ bytes: PictureBytes) -> (PixelSize, Int)? {
        if bytes.has("VP8X", at: 12) {
            guard let width = bytes.little(24, 3), let height = bytes.little(27, 3), let flags = bytes.byte(20) else {
                return nil
            }
            let orientation = flags & 0x08 == 0 ? 1 : webPOrientation(bytes)
            return (PixelSize(width: width + 1, height: height + 1), orientation)
        }
        if bytes.has("VP8L", at: 12) {
            guard bytes.byte(20) == 0x2F, let bits = bytes.little(21, 4) else { return nil }
            return (PixelSize(width: (bits & 0x3FFF) + 1, height: (bits >> 14 & 0x3FFF) + 1), 1)
        }
        guard bytes.has("VP8 ", at: 12), bytes.bytes(23, 3) == [0x9D, 0x01, 0x2A],
            let size = size(bytes.little(26, 2), bytes.little(28, 2))
        else { return nil }
        return (PixelSize(width: size.width & 0x3FFF, height: size.height & 0x3FFF), 1)
    }

    /// The chunk EXIF stands behind the pixels; some programs write JPEG's mark before the TIFF.
    private static func webPOrientation(_ bytes: PictureBytes) -> Int {
        var place = 12
        for _ in 0..<bound {
            guard let name = bytes.bytes(place, 4), let length = bytes.little(place + 4, 4) else { break }
            if name == Array("EXIF".utf8) {
                let start = bytes.has("Exif\0\0", at: place + 8) ? place + 14 : place + 8
                return TIFFDirectory(bytes, at: start)?.orientation ?? 1
            }
            place += 8 + length + length % 2
        }
        return 1
    }

    /// A negative height says that the rows go from the top.
    private static func bitmap(_ bytes: PictureBytes) -> PixelSize? {
        guard let header = bytes.little(14, 4) else { return nil }
        guard header >= 40 else { return size(bytes.little(18, 2), bytes.little(20, 2)) }
        guard let width = bytes.little(18, 4), let height = bytes.little(22, 4) else { return nil }
        let rows = Int(Int32(truncatingIfNeeded: height)).magnitude
        return PixelSize(width: width, height: Int(rows))
    }
}
