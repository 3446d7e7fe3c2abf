import CoreData
import Foundation

/// The number by which a library knows an item, a playlist or a group for good.
public typealias MPMediaEntityPersistentID = UInt64

/// A song, a film or another item of a library, as it was when its values were first read.
///
/// Any value may be missing. May be used on any thread.
public final class MPMediaItem: Sendable, Hashable {
    private let list: ItemList
    private let index: Int

    init(_ list: ItemList, _ index: Int) { (self.list, self.index) = (list, index) }

    var values: ItemValues { list.values(index) }

    /// The library of the item.
    public var library: MPMediaLibrary { list.library }
    /// The identifier of the row.
    public var objectID: NSManagedObjectID { list.ids[index] }

    /// Two items are equal if they are the same row.
    public static func == (one: MPMediaItem, other: MPMediaItem) -> Bool { one.objectID == other.objectID }
    /// Hashes the identifier of the row.
    public func hash(into hasher: inout Hasher) { hasher.combine(objectID) }

    /// The identifier that survives scans, moves and tags.
    public var persistentID: MPMediaEntityPersistentID { values.identifier("persistentID") }
    /// What the item is.
    public var mediaType: MPMediaType { MPMediaType(rawValue: UInt(values.number("mediaType"))) }
    /// The title; of a file without one its name.
    public var title: String? { values.text("title") }
    /// The artists, joined if there are several.
    public var artist: String? { values.text("artist") }
    /// The title of the album.
    public var albumTitle: String? { values.text("albumTitle") }
    /// Whose album it is.
    public var albumArtist: String? { values.text("albumArtist") }
    /// The genres, joined if there are several.
    public var genre: String? { values.text("genre") }
    /// The composers, joined if there are several.
    public var composer: String? { values.text("composer") }
    /// In seconds; 0 if it is not known.
    public var playbackDuration: TimeInterval { (values.values["playbackDuration"] as? NSNumber)?.doubleValue ?? 0 }
    /// The number on the album; 0 if it is not known.
    public var albumTrackNumber: Int { values.number("albumTrackNumber") }
    /// How many the album has; 0 if it is not known.
    public var albumTrackCount: Int { values.number("albumTrackCount") }
    /// The number of the disc; 0 if it is not known.
    public var discNumber: Int { values.number("discNumber") }
    /// How many discs there are; 0 if it is not known.
    public var discCount: Int { values.number("discCount") }
    /// Beats in a minute; 0 if it is not known.
    public var beatsPerMinute: Int { values.number("beatsPerMinute") }
    /// Whether the album has songs of several artists.
    public var isCompilation: Bool { values.number("isCompilation") != 0 }
    /// When it was published, at the beginning of the day in UTC.
    public var releaseDate: Date? { values.values["releaseDate"] as? Date }
    /// A comment in the file.
    public var comments: String? { values.text("comments") }
    /// The words.
    public var lyrics: String? { values.text("lyrics") }
    /// The name of the podcast.
    public var podcastTitle: String? { values.text("podcastTitle") }
    /// How often it was played to the end.
    public var playCount: Int { values.number("playCount") }
    /// How often it was skipped.
    public var skipCount: Int { values.number("skipCount") }
    /// From 0 for none to 5.
    public var rating: Int { values.number("rating") }
    /// When it was played to the end last.
    public var lastPlayedDate: Date? { values.values["lastPlayedDate"] as? Date }
    /// When it came into the library.
    public var dateAdded: Date? { values.values["dateAdded"] as? Date }
    /// The file; nil if its name is no text in UTF-8.
    public var assetURL: URL? { values.file }
    /// Whether the file was there at the last scan.
    public var isAvailable: Bool { values.values["isAvailable"] as? Bool ?? true }
    /// The picture in the file.
    public var artwork: MPMediaItemArtwork? { values.artwork.map { MPMediaItemArtwork(library, $0) } }

    /// The value of a property by its key, as `MPMediaItemProperty…` has them; nil if it is missing.
    public func value(forProperty property: String) -> Any? {
        switch property {
        case MPMediaItemPropertyPersistentID: persistentID
        case MPMediaItemPropertyMediaType: mediaType.rawValue
        case MPMediaItemPropertyAssetURL: assetURL
        case MPMediaItemPropertyArtwork: artwork
        case _ where property.hasSuffix("PersistentID"):
            values.values[property] == nil ? nil : values.identifier(property)
        default: values.values[property]
        }
    }

    /// Calls a block with the value of each of some properties, in no order, until it sets its last argument.
    public func enumerateValues(
        forProperties properties: Set<String>,
        using block: (_ property: String, _ value: Any?, _ stop: inout Bool) -> Void
    ) {
        var stop = false
        for property in properties {
            block(property, value(forProperty: property), &stop)
            if stop { return }
        }
    }

    /// Whether queries can ask for a property.
    public static func canFilter(byProperty property: String) -> Bool {
        property != MPMediaItemPropertyArtwork && property != MPMediaItemPropertyAssetURL
            && MediaProperty.names.contains(property)
    }
}
