import CoreData
import Foundation

/// Changes of playlists that a program has made; those that are files of the user follow their files.
extension MPMediaLibrary {
    /// Gives a playlist another name.
    ///
    /// - Returns: The playlist as it is now.
    /// - Throws: ``MediaLibraryError`` for a playlist that is a file of the user; an error of the store.
    @discardableResult
    public func rename(_ playlist: MPMediaPlaylist, to name: String) throws -> MPMediaPlaylist {
        try edit(playlist) { $0.setValue(name, forKey: "name") }
    }

    /// Moves an item from one place of a playlist's `items` to another. Entries without an item stay where they are.
    ///
    /// - Parameters:
    ///   - place: The place of the item, from 0.
    ///   - target: Its place afterwards.
    ///   - playlist: The playlist, whose items are those that it had when it was read.
    /// - Returns: The playlist as it is now.
    /// - Throws: ``MediaLibraryError`` for a place that the playlist does not have, or one that is a file of the user; an error of the store.
    @discardableResult
    public func moveItem(at place: Int, to target: Int, of playlist: MPMediaPlaylist) throws -> MPMediaPlaylist {
        try edit(playlist) { row in
            var entries = Self.entriesWithItems(of: row)
            try Self.check([place, target], entries.count, playlist)
            let positions = entries.map { $0.value(forKey: "position") }
            entries.insert(entries.remove(at: place), at: target)
            for (entry, position) in zip(entries, positions) { entry.setValue(position, forKey: "position") }
        }
    }

    /// Removes items at some places of a playlist's `items`; the items themselves stay in the library.
    ///
    /// - Returns: The playlist as it is now.
    /// - Throws: As ``moveItem(at:to:of:)``.
    @discardableResult
    public func removeItems(at places: IndexSet, of playlist: MPMediaPlaylist) throws -> MPMediaPlaylist {
        try edit(playlist) { row in
            let entries = Self.entriesWithItems(of: row)
            try Self.check(Array(places), entries.count, playlist)
            let removed = Set(places.map { entries[$0] })
            for entry in removed { row.managedObjectContext?.delete(entry) }
            let rest = Self.entries(of: row).filter { !removed.contains($0) }
            for (position, entry) in rest.enumerated() { entry.setValue(NSNumber(value: position), forKey: "position") }
        }
    }

    /// Deletes a playlist; its items stay in the library.
    ///
    /// - Throws: ``MediaLibraryError`` for a playlist that is a file of the user; an error of the store.
    public func delete(_ playlist: MPMediaPlaylist) throws {
        try Self.checkOwn(playlist)
        try perform { context in
            context.delete(try context.existingObject(with: playlist.objectID))
            try context.save()
        }
        changed()
    }

    func edit(_ playlist: MPMediaPlaylist, _ block: (NSManagedObject) throws -> Void) throws -> MPMediaPlaylist {
        try Self.checkOwn(playlist)
        let edited = try perform { context in
            let row = try context.existingObject(with: playlist.objectID)
            try block(row)
            try context.save()
            return MPMediaPlaylist(row, in: self)
        }
        changed()
        return edited
    }

    private static func checkOwn(_ playlist: MPMediaPlaylist) throws {
        guard playlist.isFile else { return }
        throw MediaLibraryError(
            .unusablePlaylist, "The playlist '\(playlist.name ?? "")' is a file, which is never written",
            hint: "make a playlist of its items and change that one")
    }

    private static func check(_ places: [Int], _ count: Int, _ playlist: MPMediaPlaylist) throws {
        guard let wrong = places.first(where: { !(0..<count).contains($0) }) else { return }
        throw MediaLibraryError(
            .unusablePlaylist,
            "The playlist '\(playlist.name ?? "")' has \(count) items, and none at the place \(wrong)",
            hint: "count from 0, and read the playlist again if something else has changed it")
    }

    private static func entries(of row: NSManagedObject) -> [NSManagedObject] {
        func position(_ entry: NSManagedObject) -> Int { (entry.value(forKey: "position") as? NSNumber)?.intValue ?? 0 }
        return (row.value(forKey: "entries") as? Set<NSManagedObject> ?? []).sorted { position($0) < position($1) }
    }

    private static func entriesWithItems(of row: NSManagedObject) -> [NSManagedObject] {
        entries(of: row).filter { !$0.objectIDs(forRelationshipNamed: "item").isEmpty }
    }
}
