import Foundation

/// The formats of pictures that are recognized by their first bytes.
public enum PictureFormat: String, Sendable, CaseIterable, Codable {
    /// Portable Network Graphics.
    case png
    /// JPEG in its file formats JFIF and Exif.
    case jpeg
    /// Graphics Interchange Format.
    case gif
    /// WebP.
    case webp
    /// AV1 Image File Format.
    case avif

    /// The type of content, such as `image/png`.
    public var contentType: String { "image/\(rawValue)" }
}

/// What the first bytes of a picture say: its format and its size in pixels. Nothing is decoded.
///
/// The sources are the PNG specification (5.2 and 11.2.1), ITU-T T.81 for JPEG (B.2.2), the GIF89a specification (18), RFC 9649
/// for WebP, and ISO/IEC 14496-12 with 23008-12 for AVIF.
public struct PictureHeader: Sendable, Equatable {
    /// The format.
    public let format: PictureFormat
    /// The pixels in a row, at least 1.
    public let width: Int
    /// The rows, at least 1.
    public let height: Int

    /// Reads the header of a whole picture, whatever type its server states.
    ///
    /// - Throws: ``PictureError`` with `unknownFormat`.
    public init(_ data: Data) throws {
        let bytes = PictureBytes(data)
        guard let format = Self.format(bytes), let size = Self.size(bytes, format), size.0 > 0, size.1 > 0 else {
            throw PictureError(code: .unknownFormat, url: nil)
        }
        (self.format, width, height) = (format, size.0, size.1)
    }

    private static func format(_ bytes: PictureBytes) -> PictureFormat? {
        if bytes.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) { return .png }
        if bytes.has([0xFF, 0xD8, 0xFF], at: 0) { return .jpeg }
        if bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0) { return .gif }
        if bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) { return .webp }
        return AVIFBoxes(bytes).isAVIF ? .avif : nil
    }

    private static func size(_ bytes: PictureBytes, _ format: PictureFormat) -> (Int, Int)? {
        switch format {
        case .png:
            guard bytes.has("IHDR", at: 12), let width = bytes.big4(16), let height = bytes.big4(20) else { return nil }
            return (width, height)
        case .gif:
            guard let width = bytes.little2(6), let height = bytes.little2(8) else { return nil }
            return (width, height)
        case .jpeg: return jpegSize(bytes)
        case .webp: return webpSize(bytes)
        case .avif: return AVIFBoxes(bytes).size
        }
    }

    /// The segments are skipped until the one of the frame.
    private static func jpegSize(_ bytes: PictureBytes) -> (Int, Int)? {
        var place = 2
        while let mark = bytes.byte(place), mark == 0xFF, let kind = bytes.byte(place + 1) {
            switch kind {
            case 0xFF: place += 1
            case 0x01, 0xD0...0xD7: place += 2
            // Frames, without the tables among their numbers.
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                guard let height = bytes.big2(place + 5), let width = bytes.big2(place + 7) else { return nil }
                return (width, height)
            // The pixels or the end before any frame.
            case 0xD9, 0xDA: return nil
            default:
                guard let length = bytes.big2(place + 2), length >= 2 else { return nil }
                place += 2 + length
            }
        }
        return nil
    }

    private static func webpSize(_ bytes: PictureBytes) -> (Int, Int)? {
        if bytes.has("VP8X", at: 12) {
            guard let width = bytes.little3(24), let height = bytes.little3(27) else { return nil }
            return (width + 1, height + 1)
        }
        if bytes.has("VP8L", at: 12) {
            guard bytes.byte(20) == 0x2F, let low = bytes.little2(21), let high = bytes.little2(23) else { return nil }
            let bits = low | high << 16
            return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        }
        guard bytes.has("VP8 ", at: 12), bytes.has([0x9D, 0x01, 0x2A], at: 23), let width = bytes.little2(26),
            let height = bytes.little2(28)
        else { return nil }
        return (width & 0x3FFF, height & 0x3FFF)
    }
}
