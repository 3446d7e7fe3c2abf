/// By what the items of a query are collected.
public enum MPMediaGrouping: Int, Sendable, CaseIterable {
    /// Each item alone.
    case title
    /// Albums, by their titles and artists.
    case album
    /// Artists.
    case artist
    /// Artists of albums.
    case albumArtist
    /// Composers.
    case composer
    /// Genres.
    case genre
    /// Playlists.
    case playlist
    /// Podcasts.
    case podcastTitle

    /// The attribute with the identifier of the group; nil where items are not collected by a value.
    var identifierKey: String? {
        switch self {
        case .title, .playlist: nil
        case .album: "albumPersistentID"
        case .artist: "artistPersistentID"
        case .albumArtist: "albumArtistPersistentID"
        case .composer: "composerPersistentID"
        case .genre: "genrePersistentID"
        case .podcastTitle: "podcastPersistentID"
        }
    }

    /// The attribute with the group's title.
    var titleKey: String {
        switch self {
        case .title, .playlist: "title"
        case .album: "albumTitle"
        case .artist: "artist"
        case .albumArtist: "albumArtist"
        case .composer: "composer"
        case .genre: "genre"
        case .podcastTitle: "podcastTitle"
        }
    }

    /// The order of the items in a group.
    var trackKeys: [String] {
        switch self {
        case .title: ["title"]
        case .playlist: []
        case .podcastTitle: ["releaseDate", "title"]
        case .album: ["discNumber", "albumTrackNumber", "title"]
        default: ["albumTitle", "discNumber", "albumTrackNumber", "title"]
        }
    }
}
