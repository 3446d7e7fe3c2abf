import CoreData

/// A ready-made grouping as a fetch request template of the model: what is fetched, and the keys whose first is the section.
struct MediaTemplate: Sendable {
    let name: String
    let entity: String
    let format: String
    let sortKeys: [String]

    var predicate: NSPredicate { NSPredicate(format: format) }

    private init(_ name: String, _ format: String, _ sortKeys: [String], entity: String = MediaModel.item) {
        (self.name, self.format, self.sortKeys, self.entity) = (name, format, sortKeys, entity)
    }

    private static let tracks = ["discNumber", "albumTrackNumber", "title"]

    static let all: [MediaTemplate] = [
        MediaTemplate("songs", isOf(.music), ["title"]),
        MediaTemplate("albums", isOf(.music), ["albumTitle"] + tracks),
        MediaTemplate("artists", isOf(.music), ["artist", "albumTitle"] + tracks),
        MediaTemplate("audiobooks", isOf(.audioBook), ["albumTitle"] + tracks),
        MediaTemplate("compilations", "\(isOf(.music)) AND isCompilation == YES", ["albumTitle"] + tracks),
        MediaTemplate("composers", isOf(.music), ["composer", "albumTitle"] + tracks),
        MediaTemplate("genres", isOf(.music), ["genre", "artist", "albumTitle"] + tracks),
        MediaTemplate("podcasts", isOf([.podcast, .videoPodcast]), ["podcastTitle", "releaseDate", "title"]),
        MediaTemplate("movies", isOf(.anyVideo), ["title"]),
        MediaTemplate("playlists", "TRUEPREDICATE", ["name"], entity: MediaModel.playlist),
    ]

    /// A test of the bit mask, in the form that stores and memory decide alike.
    private static func isOf(_ types: MPMediaType) -> String {
        "(mediaType & \(types.rawValue)) != 0"
    }
}
