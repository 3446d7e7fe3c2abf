import CoreData

/// The identifier of an item.
public let MPMediaItemPropertyPersistentID = "persistentID"
/// What an item is, as the bits of ``MPMediaType``.
public let MPMediaItemPropertyMediaType = "mediaType"
/// The title.
public let MPMediaItemPropertyTitle = "title"
/// The title of the album.
public let MPMediaItemPropertyAlbumTitle = "albumTitle"
/// The identifier of the album.
public let MPMediaItemPropertyAlbumPersistentID = "albumPersistentID"
/// The artist.
public let MPMediaItemPropertyArtist = "artist"
/// The identifier of the artist.
public let MPMediaItemPropertyArtistPersistentID = "artistPersistentID"
/// Whose album it is.
public let MPMediaItemPropertyAlbumArtist = "albumArtist"
/// The identifier of the album's artist.
public let MPMediaItemPropertyAlbumArtistPersistentID = "albumArtistPersistentID"
/// The genre.
public let MPMediaItemPropertyGenre = "genre"
/// The identifier of the genre.
public let MPMediaItemPropertyGenrePersistentID = "genrePersistentID"
/// The composer.
public let MPMediaItemPropertyComposer = "composer"
/// The identifier of the composer.
public let MPMediaItemPropertyComposerPersistentID = "composerPersistentID"
/// The duration in seconds.
public let MPMediaItemPropertyPlaybackDuration = "playbackDuration"
/// The number on the album.
public let MPMediaItemPropertyAlbumTrackNumber = "albumTrackNumber"
/// How many the album has.
public let MPMediaItemPropertyAlbumTrackCount = "albumTrackCount"
/// The number of the disc.
public let MPMediaItemPropertyDiscNumber = "discNumber"
/// How many discs there are.
public let MPMediaItemPropertyDiscCount = "discCount"
/// The picture.
public let MPMediaItemPropertyArtwork = "artwork"
/// The words.
public let MPMediaItemPropertyLyrics = "lyrics"
/// Whether it is of a compilation.
public let MPMediaItemPropertyIsCompilation = "isCompilation"
/// When it was published.
public let MPMediaItemPropertyReleaseDate = "releaseDate"
/// Beats in a minute.
public let MPMediaItemPropertyBeatsPerMinute = "beatsPerMinute"
/// A comment.
public let MPMediaItemPropertyComments = "comments"
/// The file.
public let MPMediaItemPropertyAssetURL = "assetURL"
/// The name of the podcast.
public let MPMediaItemPropertyPodcastTitle = "podcastTitle"
/// The identifier of the podcast.
public let MPMediaItemPropertyPodcastPersistentID = "podcastPersistentID"
/// How often it was played.
public let MPMediaItemPropertyPlayCount = "playCount"
/// How often it was skipped.
public let MPMediaItemPropertySkipCount = "skipCount"
/// The rating, from 0 to 5.
public let MPMediaItemPropertyRating = "rating"
/// When it was played last.
public let MPMediaItemPropertyLastPlayedDate = "lastPlayedDate"
/// The grouping that the user has given it.
public let MPMediaItemPropertyUserGrouping = "userGrouping"
/// Where playing goes on, in seconds.
public let MPMediaItemPropertyBookmarkTime = "bookmarkTime"
/// When it came into the library.
public let MPMediaItemPropertyDateAdded = "dateAdded"
/// The name of a playlist.
public let MPMediaPlaylistPropertyName = "name"
/// The identifier of a playlist.
public let MPMediaPlaylistPropertyPersistentID = "playlistPersistentID"

/// The attributes by which items are found.
enum MediaProperty {
    static let names: Set<String> = Set(
        MediaModel.make().entitiesByName[MediaModel.item].map { Array($0.attributesByName.keys) } ?? [])
}
