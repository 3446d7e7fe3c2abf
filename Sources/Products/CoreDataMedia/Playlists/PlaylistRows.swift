import CoreData
import Foundation

/// Playlist files of a scanned folder as rows; on the queue of the context.
struct PlaylistRows {
    let root: BytePath
    let folder: NSManagedObject
    let context: NSManagedObjectContext
    /// Items by the absolute path of their files, once they are needed.
    private var items: [BytePath: NSManagedObjectID]?

    init(root: BytePath, folder: NSManagedObject, context: NSManagedObjectContext) {
        (self.root, self.folder, self.context) = (root, folder, context)
    }

    /// Reads a playlist into its row, or into a new one.
    mutating func read(_ file: FoundFile, into row: NSManagedObject?, _ report: inout MediaScanReport) throws {
        let row = row ?? NSEntityDescription.insertNewObject(forEntityName: MediaModel.playlist, into: context)
        if row.value(forKey: "persistentID") == nil {
            row.setValue(NSNumber(value: Int64.random(in: 1...Int64.max)), forKey: "persistentID")
        }
        ScanRows.place(row, file)
        row.setValue(folder, forKey: "folder")
        report.playlists += 1
        let path = root.appending(file.path)
        do {
            let playlist = try M3UPlaylist(try Self.bytes(path))
            row.setValue(nil, forKey: "problem")
            row.setValue(playlist.name ?? file.path.stem, forKey: "name")
            try fill(row, playlist.entries, in: path.folder)
        } catch let error as MediaLibraryError {
            report.add(file.path, error.description)
            row.setValue(error.description, forKey: "problem")
            if row.value(forKey: "name") == nil { row.setValue(file.path.stem, forKey: "name") }
        }
    }

    private static func bytes(_ path: BytePath) throws -> [UInt8] {
        let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0, let bytes = FileBytes.read(descriptor, at: 0, count: M3UPlaylist.greatestSize + 1) else {
            throw MediaLibraryError(
                .unusablePlaylist, "The playlist '\(path.text)' cannot be opened", hint: "check its permissions")
        }
        return bytes
    }

    private mutating func fill(_ row: NSManagedObject, _ entries: [M3UPlaylist.Entry], in home: BytePath) throws {
        if let old = row.value(forKey: "entries") as? Set<NSManagedObject> {
            for entry in old { context.delete(entry) }
        }
        let items = try allItems()
        for (position, entry) in entries.enumerated() {
            let object = NSEntityDescription.insertNewObject(forEntityName: MediaModel.entry, into: context)
            object.setValue(NSNumber(value: position), forKey: "position")
            object.setValue(String(decoding: entry.location, as: UTF8.self), forKey: "location")
            object.setValue(entry.title, forKey: "title")
            object.setValue(entry.duration.map { NSNumber(value: $0) }, forKey: "duration")
            object.setValue(row, forKey: "playlist")
            guard let path = M3UPlaylist.path(of: entry.location, in: home), let id = items[path] else { continue }
            object.setValue(context.object(with: id), forKey: "item")
        }
    }

    /// Entries without an item whose file is one by now.
    mutating func linkMissing() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: MediaModel.entry)
        request.predicate = NSPredicate(format: "item == nil AND playlist.folder == %@", folder)
        let open = try context.fetch(request)
        guard !open.isEmpty else { return }
        let items = try allItems()
        for entry in open {
            guard let location = entry.value(forKey: "location") as? String,
                let playlist = entry.value(forKey: "playlist") as? NSManagedObject,
                let path = RowPath.path(of: playlist),
                let found = M3UPlaylist.path(of: Array(location.utf8), in: root.appending(path).folder),
                let id = items[found]
            else { continue }
            entry.setValue(context.object(with: id), forKey: "item")
        }
    }

    private mutating func allItems() throws -> [BytePath: NSManagedObjectID] {
        if let items { return items }
        var found: [BytePath: NSManagedObjectID] = [:]
        let folders = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: MediaModel.folder))
        for folder in folders {
            guard let root = RowPath.path(of: folder) else { continue }
            for file in try ScanRows.known(MediaModel.item, of: folder.objectID, in: context) {
                let path = root.appending(file.path)
                if file.isAvailable || found[path] == nil { found[path] = file.id }
            }
        }
        items = found
        return found
    }
}
