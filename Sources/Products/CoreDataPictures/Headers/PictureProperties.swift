import Foundation
import UniformTypeIdentifiers

/// The type and the size of a picture, by its first bytes. Nothing is decoded, and no program is run.
///
/// The sources are the PNG specification (11.2.1, 11.3.3.6), ITU-T T.81 for JPEG (B.2.2), the GIF89a specification (18), RFC 9649 for
/// WebP, TIFF 6.0, ISO/IEC 23008-12 for HEIC and AVIF, and Microsoft's documentation of bitmaps.
public struct PictureProperties: Sendable, Hashable {
    /// The type, which is recognized by the bytes and not by a name.
    public let type: UTType
    /// The size as it is shown, after the turn that the picture asks for.
    public let size: PixelSize
    /// How the stored picture is turned, 1 to 8, as EXIF counts; always 1 for HEIC and AVIF, whose turn is in their structure.
    public let orientation: Int
    /// The number of bytes.
    public let byteCount: Int

    /// Reads the header of a picture in memory.
    ///
    /// - Parameter data: The whole picture, or as much of its beginning as has the header.
    /// - Throws: ``PictureFileError`` with `unknownType`, or `damaged` if the size is not in the bytes.
    public init(_ data: Data) throws {
        guard let type = UTType(recognizing: data) else { throw PictureFileError.unknownType }
        try self.init(PictureBytes(data), type)
    }

    /// Reads the header of a picture in a file; only the places of the header are read.
    ///
    /// - Throws: ``PictureFileError`` as for data, and with `unreadable`.
    public init(contentsOf file: URL) throws {
        let bytes = try PictureBytes(file: file)
        let start = bytes.bytes(0, min(bytes.count, UTType.recognizedPrefixLength)) ?? []
        guard let type = UTType(recognizing: Data(start)) else { throw PictureFileError.unknownType }
        try self.init(bytes, type)
    }

    private init(_ bytes: PictureBytes, _ type: UTType) throws {
        guard type.conforms(to: .image), Self.isKnown(type) else { throw PictureFileError.unknownType }
        guard let (size, orientation) = PictureHeaders.read(bytes, type), size.width > 0, size.height > 0 else {
            throw PictureFileError.damaged("its size is not in the header")
        }
        self.type = type
        self.size = orientation > 4 ? size.turned : size
        self.orientation = orientation
        byteCount = bytes.count
    }

    /// Whether pictures of a type are read. SVG is not: it is a document, which can ask for other files.
    public static func isKnown(_ type: UTType) -> Bool { PictureHeaders.types.contains(type) }
}
