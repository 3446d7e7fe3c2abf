/// The kind of a tag that names a type outside this module: a file name's extension, or a media type.
public struct UTTagClass: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
    /// The identifier of the class, as declarations of types write it.
    public let rawValue: String

    /// A class by its identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Extensions of file names, without the dot: `jpeg`.
    public static let filenameExtension = UTTagClass(rawValue: "public.filename-extension")
    /// Media types of MIME, without parameters: `image/jpeg`.
    public static let mimeType = UTTagClass(rawValue: "public.mime-type")

    /// The identifier.
    public var description: String { rawValue }

    /// How tags of the class are compared: both known ones ignore the case of letters, as file systems and MIME do.
    func key(of tag: String) -> String {
        switch self {
        case .filenameExtension: return tag.hasPrefix(".") ? String(tag.dropFirst()).lowercased() : tag.lowercased()
        case .mimeType:
            // Parameters, such as a charset, do not change the type.
            let bare = tag.prefix { $0 != ";" }
            return bare.split(whereSeparator: \.isWhitespace).joined().lowercased()
        default: return tag
        }
    }
}
