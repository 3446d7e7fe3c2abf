import CoreData
import CoreDataPictures
import UniformTypeIdentifiers

/// Which values the page shows as pictures, sound or film: only types that a web browser displays without running code, by the first
/// bytes, never by a name.
enum MediaKind {
    /// The number of first bytes that suffice to recognize a type.
    static let length = UTType.recognizedPrefixLength

    private static let displayed: Set<UTType> = [
        .png, .jpeg, .gif, .webP, .avif, .wav, .mp3, .flac, .oggAudio, .opus, .oggVideo, .webM, .webMAudio, .m4a,
        .mpeg4Audio,
        .mpeg4Movie, .m4v, .quickTimeMovie,
    ]

    /// The media type of a picture that lists show small, also of those that are shown by their thumbnails alone; nil for anything else.
    static func picture(of data: Data) -> String? {
        guard let type = UTType(recognizing: data), PictureProperties.isKnown(type) else { return nil }
        return type.preferredMIMEType
    }

    /// The media type of a picture, sound or film; nil for anything else, including SVG and HTML, which must not be
    /// interpreted.
    static func type(of data: Data) -> String? {
        guard let type = UTType(recognizing: data), displayed.contains(type) else { return nil }
        return type.preferredMIMEType
    }
}
