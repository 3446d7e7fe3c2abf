import CoreData
import Foundation

/// Items in an order, with duplicates; never empty when derived from another.
public class MPMediaItemCollection: @unchecked Sendable {
    // All members are constant, those of subclasses too.

    /// The items.
    public let items: [MPMediaItem]
    private let groupID: MPMediaEntityPersistentID?
    /// The title of the group that a query has collected; nil for a collection that a program has made.
    public let title: String?

    /// A collection of these items.
    public convenience init(items: [MPMediaItem]) { self.init(items: items, groupID: nil, title: nil) }

    init(items: [MPMediaItem], groupID: MPMediaEntityPersistentID?, title: String?) {
        (self.items, self.groupID, self.title) = (items, groupID, title)
    }

    /// How many items there are.
    public var count: Int { items.count }
    /// All types of the items.
    public var mediaTypes: MPMediaType { items.reduce([]) { $0.union($1.mediaType) } }
    /// The first item, which stands for all.
    public var representativeItem: MPMediaItem? { items.first }
    /// The identifier of the group, such as the album; of a collection that a program has made that of its first item, 0 if it is empty.
    public var persistentID: MPMediaEntityPersistentID { groupID ?? items.first?.persistentID ?? 0 }

    /// The collection with more items at its end.
    public func appending(_ more: [MPMediaItem]) -> MPMediaItemCollection { MPMediaItemCollection(items: items + more) }

    /// The collection without the items at some places; nil if none is left. Places beyond the end are ignored.
    public func deletingItems(at places: IndexSet) -> MPMediaItemCollection? {
        let rest = items.indices.filter { !places.contains($0) }.map { items[$0] }
        return rest.isEmpty ? nil : MPMediaItemCollection(items: rest)
    }

    /// The collection without all occurrences of an item; nil if none is left.
    public func deleting(_ item: MPMediaItem) -> MPMediaItemCollection? {
        let rest = items.filter { $0 != item }
        return rest.isEmpty ? nil : MPMediaItemCollection(items: rest)
    }
}

/// A playlist of a library: read from a file, or made by a program.
public final class MPMediaPlaylist: MPMediaItemCollection, @unchecked Sendable {
    /// The identifier of the row.
    public let objectID: NSManagedObjectID
    /// The name.
    public let name: String?
    /// What it is, in the words of who made it.
    public let descriptionText: String?
    /// Who made it.
    public let authorDisplayName: String?
    /// Whether it was read from a file of the user, and follows that file.
    public let isFile: Bool
    /// Entries whose file is no item of the library, as the playlist has them.
    public let missingLocations: [String]
    private let identifier: MPMediaEntityPersistentID

    init(_ row: NSManagedObject, in library: MPMediaLibrary) {
        let entries = (row.value(forKey: "entries") as? Set<NSManagedObject> ?? []).map { entry in
            (position: (entry.value(forKey: "position") as? NSNumber)?.intValue ?? 0, entry: entry)
        }.sorted { $0.position < $1.position }.map(\.entry)
        let ids = entries.compactMap { $0.objectIDs(forRelationshipNamed: "item").first }
        missingLocations = entries.filter { $0.objectIDs(forRelationshipNamed: "item").isEmpty }.compactMap {
            $0.value(forKey: "location") as? String
        }
        objectID = row.objectID
        name = row.value(forKey: "name") as? String
        descriptionText = row.value(forKey: "descriptionText") as? String
        authorDisplayName = row.value(forKey: "authorDisplayName") as? String
        isFile = row.value(forKey: "path") != nil
        identifier = UInt64(bitPattern: (row.value(forKey: "persistentID") as? NSNumber)?.int64Value ?? 0)
        super.init(
            items: ItemList(library, ids).items, groupID: identifier, title: row.value(forKey: "name") as? String)
    }

    /// The playlist as an M3U file in UTF-8, with paths relative to the folder in which it is to lie where that is possible.
    ///
    /// - Parameter folder: Where the file will be.
    public func m3u8(relativeTo folder: URL) -> Data {
        let home = BytePath(folder.standardizedFileURL.resolvingSymlinksInPath().path)
        let entries = items.compactMap { item -> M3UPlaylist.Entry? in
            guard let url = item.assetURL, !url.path.contains("\n"), !url.path.contains("\r") else { return nil }
            let path = BytePath(url.path)
            let title = [item.artist, item.title].compactMap { $0 }.joined(separator: " - ")
            // A relative path that begins like a comment or an URL is written from its folder.
            let relative = path.relative(to: home).map {
                $0.bytes.first == UInt8(ascii: "#") ? BytePath("./").joined($0) : $0
            }
            return M3UPlaylist.Entry(
                location: (relative ?? path).bytes, title: title,
                duration: item.playbackDuration > 0 ? item.playbackDuration : nil)
        }
        return M3UPlaylist(name: name, entries: entries).data
    }
}

extension BytePath {
    fileprivate func joined(_ other: BytePath) -> BytePath { BytePath(bytes + other.bytes) }
}
