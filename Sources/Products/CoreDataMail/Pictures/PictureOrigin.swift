import CoreDataGraph
import UniformTypeIdentifiers

/// Removes from pictures where, when and with what they were taken, before they are shared.
///
/// Everything but the picture itself is removed: EXIF with its places, XMP, comments, thumbnails and what lies behind the picture.
/// What stays is the colour profile and, of EXIF, only how the picture must be turned. The pixels are not touched, so nothing is
/// lost of the picture.
public enum PictureOrigin {
    /// Whether pictures of a type can be cleaned here.
    public static func canRemove(from type: UTType) -> Bool { [.jpeg, .png, .webP, .gif].contains(type) }

    /// A picture without its origin.
    ///
    /// - Parameter data: A picture.
    /// - Returns: The picture; data that is none is returned as it is.
    /// - Throws: ``MailError`` with `invalidMessage` for a picture of a type that cannot be cleaned here, or that is damaged.
    public static func removed(from data: Data) throws -> Data {
        guard let type = UTType(recognizing: data), type.conforms(to: .image) else { return data }
        let bytes = [UInt8](data)
        let cleaned: [UInt8]?
        switch type {
        case .jpeg: cleaned = JPEGSegments.cleaned(bytes)
        case .png: cleaned = PNGChunks.cleaned(bytes)
        case .webP: cleaned = WebPChunks.cleaned(bytes)
        case .gif: cleaned = GIFBlocks.cleaned(bytes)
        default:
            throw MailError(
                .invalidMessage,
                "the place and the camera cannot be removed from pictures of the type \(type.localizedDescription ?? "")",
                hint: "convert it to JPEG or PNG, or keep them on purpose (keepsPictureOrigin)")
        }
        guard let cleaned else {
            throw MailError(
                .invalidMessage, "a picture is damaged, so that its place and camera cannot be removed",
                hint: "save it again with another program, or keep them on purpose (keepsPictureOrigin)")
        }
        return Data(cleaned)
    }
}

/// How a picture must be turned, as EXIF says it: tag 0x0112 of the first directory.
enum TurningMark {
    /// The mark of an EXIF block that begins with a TIFF header; nil if there is none, or the picture is upright.
    static func find(in tiff: ArraySlice<UInt8>) -> UInt8? {
        let bytes = Array(tiff)
        guard bytes.count >= 14, bytes[0] == bytes[1], bytes[0] == 0x49 || bytes[0] == 0x4D else { return nil }
        let isLittle = bytes[0] == 0x49
        func number(_ place: Int, _ size: Int) -> Int? {
            guard place >= 0, place <= bytes.count - size else { return nil }
            let part = bytes[place..<place + size]
            return (isLittle ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
        }
        guard number(2, 2) == 42, let start = number(4, 4), let count = number(start, 2) else { return nil }
        for index in 0..<min(count, 200) {
            let entry = start + 2 + index * 12
            guard let tag = number(entry, 2) else { return nil }
            guard tag == 0x0112, number(entry + 2, 2) == 3, let value = number(entry + 8, 2) else { continue }
            return (2...8).contains(value) ? UInt8(value) : nil
        }
        return nil
    }

    /// A TIFF block with the mark and nothing else.
    static func block(_ mark: UInt8) -> [UInt8] {
        [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, mark, 0, 0, 0, 0, 0, 0]
    }
}
