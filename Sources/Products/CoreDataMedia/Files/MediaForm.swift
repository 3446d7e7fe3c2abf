import UniformTypeIdentifiers

/// What a file may be by its name: only such files are read at all.
enum MediaForm: Sendable, Hashable {
    case media, playlist

    /// Extensions that the table of types has not, or has for other things.
    private static let further: Set<String> = [
        "aif", "aifc", "aiff", "amr", "ape", "au", "caf", "m2ts", "m4b", "m4p", "mka", "mpc", "mts", "oga", "ogv",
        "ogx", "opus", "spx", "tta", "vob", "wv",
    ]
    private static let playlists: Set<String> = ["m3u", "m3u8"]

    init?(_ name: BytePath) {
        let ending = name.filenameExtension
        guard !ending.isEmpty, let form = Self.forms[ending] ?? Self.looked(up: ending) else { return nil }
        self = form
    }

    private static let forms: [String: MediaForm] = {
        var forms: [String: MediaForm] = [:]
        for ending in further { forms[ending] = .media }
        for ending in playlists { forms[ending] = .playlist }
        for ending in [
            "mp3", "m4a", "mp4", "flac", "ogg", "wav", "webm", "mkv", "mov", "m4v", "avi", "wma", "wmv", "aac",
        ] {
            forms[ending] = .media
        }
        return forms
    }()

    private static func looked(up ending: String) -> MediaForm? {
        guard let type = UTType(filenameExtension: ending), type.conforms(to: .audiovisualContent) else { return nil }
        return type.conforms(to: .midi) ? nil : .media
    }
}
