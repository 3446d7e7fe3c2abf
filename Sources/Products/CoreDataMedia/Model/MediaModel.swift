import CoreData
import Foundation

/// The model of media libraries: items, what is embedded in them, playlists, and the folders that were scanned.
///
/// Attributes have the names of Apple's property keys where there is one, so that a key of `MPMediaItem` is a key path of predicates.
enum MediaModel {
    static let item = "MediaItem"
    static let tag = "MediaTag"
    static let artwork = "MediaArtwork"
    static let playlist = "MediaPlaylist"
    static let entry = "MediaPlaylistEntry"
    static let folder = "MediaFolder"

    /// What dictionaries of a fetch have under `id`: the identifier of the object.
    static var objectID: NSExpressionDescription {
        let id = NSExpressionDescription()
        (id.name, id.expression, id.expressionResultType) = (
            "id", NSExpression.expressionForEvaluatedObject(), .objectIDAttributeType
        )
        return id
    }

    /// A model of its own for each library, since coordinators freeze theirs.
    static func make() -> NSManagedObjectModel {
        let items = entity(item, itemAttributes)
        let tags = entity(tag, [("name", .string), ("position", .integer64), ("value", .string)])
        let artworks = entity(
            artwork,
            [("contentHash", .string), ("image", .binaryData), ("mimeType", .string)])
        artworks.attributesByName["image"]?.allowsExternalBinaryDataStorage = true
        let playlists = entity(playlist, playlistAttributes)
        let entries = entity(
            entry, [("duration", .double), ("location", .string), ("position", .integer64), ("title", .string)])
        let folders = entity(folder, [("lastScan", .date), ("path", .string), ("pathBytes", .binaryData)])

        join(items, "tags", .cascadeDeleteRule, tags, "item", .nullifyDeleteRule)
        join(artworks, "items", .nullifyDeleteRule, items, "artwork", .nullifyDeleteRule)
        join(folders, "items", .nullifyDeleteRule, items, "folder", .nullifyDeleteRule)
        join(folders, "playlists", .nullifyDeleteRule, playlists, "folder", .nullifyDeleteRule)
        join(playlists, "entries", .cascadeDeleteRule, entries, "playlist", .nullifyDeleteRule)
        join(items, "playlistEntries", .nullifyDeleteRule, entries, "item", .nullifyDeleteRule)

        index(items, ["persistentID", "path", "contentHash", "title", "albumPersistentID", "artistPersistentID"])
        index(artworks, ["contentHash"])
        index(playlists, ["persistentID"])

        let model = NSManagedObjectModel()
        model.entities = [items, tags, artworks, playlists, entries, folders]
        addTemplates(to: model)
        return model
    }

    typealias Kind = NSAttributeDescription.AttributeType

    /// Names and types; numbers that are counted have 0 as their default value, all others may be missing.
    private static let itemAttributes: [(String, Kind)] = [
        ("albumArtist", .string), ("albumArtistPersistentID", .integer64), ("albumPersistentID", .integer64),
        ("albumTitle", .string), ("albumTrackCount", .integer64), ("albumTrackNumber", .integer64), ("artist", .string),
        ("artistPersistentID", .integer64), ("beatsPerMinute", .integer64), ("bookmarkTime", .double),
        ("comments", .string), ("composer", .string), ("composerPersistentID", .integer64), ("contentHash", .string),
        ("dateAdded", .date), ("discCount", .integer64), ("discNumber", .integer64), ("fileNumber", .integer64),
        ("fileSize", .integer64), ("fileTime", .integer64), ("genre", .string), ("genrePersistentID", .integer64),
        ("height", .integer64), ("isAvailable", .boolean), ("isCompilation", .boolean), ("lastPlayedDate", .date),
        ("lastSkippedDate", .date), ("lyrics", .string), ("mediaType", .integer64), ("mimeType", .string),
        ("path", .string), ("pathBytes", .binaryData), ("persistentID", .integer64), ("playCount", .integer64),
        ("playbackDuration", .double), ("podcastPersistentID", .integer64), ("podcastTitle", .string),
        ("problem", .string), ("rating", .integer64), ("releaseDate", .date), ("skipCount", .integer64),
        ("title", .string), ("userGrouping", .string), ("width", .integer64),
    ]

    private static let playlistAttributes: [(String, Kind)] = [
        ("authorDisplayName", .string), ("descriptionText", .string), ("fileNumber", .integer64),
        ("fileSize", .integer64), ("fileTime", .integer64), ("isAvailable", .boolean), ("name", .string),
        ("path", .string), ("pathBytes", .binaryData), ("persistentID", .integer64), ("problem", .string),
    ]

    private static let counted: Set<String> = ["playCount", "skipCount", "rating"]

    private static func entity(_ name: String, _ attributes: [(String, Kind)]) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = "NSManagedObject"
        entity.properties = attributes.map { name, kind in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.type = kind
            attribute.isOptional = true
            if counted.contains(name) { attribute.defaultValue = NSNumber(value: 0) }
            if kind == .boolean { attribute.defaultValue = NSNumber(value: name == "isAvailable") }
            return attribute
        }
        return entity
    }

    /// A relationship to many objects of one entity, with its inverse to one.
    private static func join(
        _ one: NSEntityDescription, _ many: String, _ rule: NSDeleteRule, _ other: NSEntityDescription, _ back: String,
        _ backRule: NSDeleteRule
    ) {
        let (toMany, toOne) = (NSRelationshipDescription(), NSRelationshipDescription())
        (toMany.name, toMany.destinationEntity, toMany.deleteRule) = (many, other, rule)
        (toOne.name, toOne.destinationEntity, toOne.deleteRule) = (back, one, backRule)
        (toMany.isOptional, toOne.isOptional) = (true, true)
        toMany.maxCount = 0
        toOne.maxCount = 1
        (toMany.inverseRelationship, toOne.inverseRelationship) = (toOne, toMany)
        one.properties.append(toMany)
        other.properties.append(toOne)
    }

    private static func index(_ entity: NSEntityDescription, _ names: [String]) {
        entity.indexes = names.compactMap { name in
            entity.attributesByName[name].map {
                NSFetchIndexDescription(
                    name: name, elements: [NSFetchIndexElementDescription(property: $0, collationType: .binary)])
            }
        }
    }

    /// The ready-made groupings as fetch request templates, sorted as their sections are.
    private static func addTemplates(to model: NSManagedObjectModel) {
        for grouping in MediaTemplate.all {
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: grouping.entity)
            request.predicate = grouping.predicate
            request.sortDescriptors = grouping.sortKeys.map { NSSortDescriptor(key: $0, ascending: true) }
            model.setFetchRequestTemplate(request, forName: grouping.name)
        }
    }
}
