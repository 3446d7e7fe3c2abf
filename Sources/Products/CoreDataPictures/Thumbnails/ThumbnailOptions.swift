/// What a thumbnail is to be like.
public struct ThumbnailOptions: Sendable, Hashable {
    /// How a picture of another shape is put into the size.
    public enum ContentMode: String, Sendable, Hashable, Codable {
        /// The whole picture, with one side shorter than asked.
        case aspectFit
        /// A part from the middle of the picture that has the shape of the size.
        case aspectFill
    }

    /// The formats of thumbnails.
    public enum Format: String, Sendable, Hashable, Codable {
        /// JPEG; what is transparent becomes white.
        case jpeg
        /// PNG, which keeps what is transparent.
        case png

        /// The media type.
        public var contentType: String { "image/\(rawValue)" }
        var fileExtension: String { self == .jpeg ? "jpg" : "png" }
    }

    /// The greatest width and height, from 1 to 4,096 pixels. A smaller picture is never enlarged.
    public var size: PixelSize
    /// How a picture of another shape is put into the size.
    public var contentMode: ContentMode
    /// The format.
    public var format: Format

    /// The greatest width and height that can be asked for.
    public static let greatestSide = 4_096

    /// Makes options; a width or height beyond the range becomes the nearest one in it.
    public init(
        size: PixelSize = PixelSize(width: 256, height: 256), contentMode: ContentMode = .aspectFit,
        format: Format = .jpeg
    ) {
        func bounded(_ side: Int) -> Int { min(max(side, 1), Self.greatestSide) }
        self.size = PixelSize(width: bounded(size.width), height: bounded(size.height))
        (self.contentMode, self.format) = (contentMode, format)
    }

    /// What distinguishes thumbnails of one picture, as a part of a file name.
    var name: String {
        "\(size.width)x\(size.height)\(contentMode == .aspectFill ? "f" : "").\(format.fileExtension)"
    }
}
