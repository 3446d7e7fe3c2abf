import CoreData

/// Recognizes media types by the first bytes, never by a name: only types that a web browser displays without running
/// code.
enum MediaKind {
    /// The number of first bytes that suffice to recognize a type.
    static let length = 16

    /// The media type of a picture, sound or film; nil for anything else, including SVG and HTML, which must not be
    /// interpreted.
    static func type(of data: Data) -> String? {
        let start = Array(data.prefix(length))
        func has(_ text: String, at place: Int = 0) -> Bool { start.dropFirst(place).starts(with: text.utf8) }
        if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if start.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if has("GIF87a") || has("GIF89a") { return "image/gif" }
        if has("RIFF"), has("WEBP", at: 8) { return "image/webp" }
        if has("RIFF"), has("WAVE", at: 8) { return "audio/wav" }
        if has("ID3") { return "audio/mpeg" }
        if has("fLaC") { return "audio/flac" }
        if has("OggS") { return "audio/ogg" }
        if start.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return "video/webm" }
        if has("ftyp", at: 4) {
            if has("avif", at: 8) { return "image/avif" }
            if has("M4A", at: 8) { return "audio/mp4" }
            return ["isom", "iso2", "iso4", "iso5", "iso6", "mp41", "mp42", "avc1", "M4V ", "dash", "qt  "]
                .contains { has($0, at: 8) } ? "video/mp4" : nil
        }
        return nil
    }
}
