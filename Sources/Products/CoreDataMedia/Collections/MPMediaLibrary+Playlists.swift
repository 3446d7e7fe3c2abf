import CoreData
import Foundation

extension MPMediaLibrary {
    /// All playlists, by their names.
    public func playlists() throws -> [MPMediaPlaylist] { try playlists(NSPredicate(value: true)) }

    func playlists(_ predicate: NSPredicate) throws -> [MPMediaPlaylist] {
        try perform { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: MediaModel.playlist)
            request.predicate = predicate
            request.sortDescriptors = [
                NSSortDescriptor(
                    key: "name", ascending: true, selector: NSSelectorFromString("localizedStandardCompare:"))
            ]
            request.relationshipKeyPathsForPrefetching = ["entries"]
            return try context.fetch(request).map { MPMediaPlaylist($0, in: self) }
        }
    }

    /// Makes a playlist in the library; no file is written.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - description: What it is.
    ///   - author: Who makes it.
    ///   - items: Its items, with duplicates.
    /// - Throws: An error of the store.
    public func makePlaylist(
        named name: String, description: String? = nil, author: String? = nil, items: [MPMediaItem] = []
    ) throws -> MPMediaPlaylist {
        let playlist = try perform { context in
            let row = NSEntityDescription.insertNewObject(forEntityName: MediaModel.playlist, into: context)
            row.setValue(NSNumber(value: Int64.random(in: 1...Int64.max)), forKey: "persistentID")
            row.setValue(name, forKey: "name")
            row.setValue(description, forKey: "descriptionText")
            row.setValue(author, forKey: "authorDisplayName")
            try Self.append(items.map(\.objectID), to: row)
            try context.save()
            return MPMediaPlaylist(row, in: self)
        }
        changed()
        return playlist
    }

    /// Adds items at the end of a playlist that a program has made.
    ///
    /// - Returns: The playlist as it is now.
    /// - Throws: ``MediaLibraryError`` for a playlist that is a file of the user, or was deleted; an error of the store.
    @discardableResult
    public func add(_ items: [MPMediaItem], to playlist: MPMediaPlaylist) throws -> MPMediaPlaylist {
        try edit(playlist) { try Self.append(items.map(\.objectID), to: $0) }
    }

    private static func append(_ items: [NSManagedObjectID], to row: NSManagedObject) throws {
        guard let context = row.managedObjectContext else { return }
        let start = (row.value(forKey: "entries") as? Set<NSManagedObject>)?.count ?? 0
        for (index, id) in items.enumerated() {
            let item = try context.existingObject(with: id)
            let entry = NSEntityDescription.insertNewObject(forEntityName: MediaModel.entry, into: context)
            entry.setValue(NSNumber(value: start + index), forKey: "position")
            entry.setValue(item.value(forKey: "title"), forKey: "title")
            entry.setValue(item.value(forKey: "playbackDuration"), forKey: "duration")
            entry.setValue(RowPath.location(of: item)?.text, forKey: "location")
            entry.setValue(item, forKey: "item")
            entry.setValue(row, forKey: "playlist")
        }
    }

    /// Items by their persistent identifiers, in the order of these; those that are not in the library are left out.
    public func items(withPersistentIDs ids: [MPMediaEntityPersistentID]) throws -> [MPMediaItem] {
        try perform { context in
            let request = NSFetchRequest<NSDictionary>(entityName: MediaModel.item)
            request.resultType = .dictionaryResultType
            let wanted = Set(ids).map { NSNumber(value: Int64(bitPattern: $0)) }
            request.predicate = NSPredicate(format: "persistentID IN %@", wanted)
            request.propertiesToFetch = [MediaModel.objectID, "persistentID"]
            var found: [UInt64: NSManagedObjectID] = [:]
            for row in try context.fetch(request) {
                guard let number = row["persistentID"] as? NSNumber else { continue }
                found[UInt64(bitPattern: number.int64Value)] = row["id"] as? NSManagedObjectID
            }
            return ItemList(self, ids.compactMap { found[$0] }).items
        }
    }

    /// Notes that an item was played to its end, or skipped.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - isSkipped: Whether it was skipped.
    ///   - date: When.
    /// - Throws: An error of the store, also for an item that was deleted.
    public func notePlayed(_ item: MPMediaItem, isSkipped: Bool = false, at date: Date = Date()) throws {
        try update(item) { row in
            let (count, last) = isSkipped ? ("skipCount", "lastSkippedDate") : ("playCount", "lastPlayedDate")
            let old = (row.value(forKey: count) as? NSNumber)?.intValue ?? 0
            row.setValue(NSNumber(value: old + 1), forKey: count)
            row.setValue(date, forKey: last)
        }
    }

    /// Sets the rating of an item, from 0 to 5; other numbers are the nearest of these.
    public func setRating(_ rating: Int, of item: MPMediaItem) throws {
        try update(item) { $0.setValue(NSNumber(value: max(0, min(5, rating))), forKey: "rating") }
    }

    private func update(_ item: MPMediaItem, _ block: (NSManagedObject) -> Void) throws {
        try perform { context in
            block(try context.existingObject(with: item.objectID))
            try context.save()
        }
        changed()
    }
}
