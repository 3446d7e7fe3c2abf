import CoreData
import Foundation

/// The rows of a library as scans read and write them; on the queue of their context.
enum ScanRows {
    /// The row of a folder, made if there is none.
    static func folder(_ root: BytePath, in context: NSManagedObjectContext) throws -> NSManagedObjectID {
        let request = NSFetchRequest<NSManagedObject>(entityName: MediaModel.folder)
        for row in try context.fetch(request)
        where RowPath.path(row.value(forKey: "path"), row.value(forKey: "pathBytes")) == root {
            return row.objectID
        }
        let row = NSEntityDescription.insertNewObject(forEntityName: MediaModel.folder, into: context)
        setPath(root, of: row)
        try context.save()
        return row.objectID
    }

    private static func setPath(_ path: BytePath, of row: NSManagedObject) {
        row.setValue(path.text, forKey: "path")
        row.setValue(path.isText ? nil : Data(path.bytes), forKey: "pathBytes")
    }

    /// What is known of the files of a folder, without making objects of the rows.
    static func known(
        _ entity: String, of folder: NSManagedObjectID, in context: NSManagedObjectContext
    ) throws -> [KnownFile] {
        let request = NSFetchRequest<NSDictionary>(entityName: entity)
        request.resultType = .dictionaryResultType
        request.predicate = NSPredicate(format: "folder == %@", context.object(with: folder))
        let id = NSExpressionDescription()
        (id.name, id.expression, id.expressionResultType) = (
            "id", NSExpression.expressionForEvaluatedObject(), .objectIDAttributeType
        )
        request.propertiesToFetch = [
            id, "path", "pathBytes", "fileNumber", "fileSize", "fileTime", "isAvailable",
        ]
        // Names as the dictionaries have them: each look-up by a string would make one.
        let names = (
            id: "id" as NSString, path: "path" as NSString, bytes: "pathBytes" as NSString,
            isAvailable: "isAvailable" as NSString
        )
        let stamp = ["fileNumber" as NSString, "fileSize" as NSString, "fileTime" as NSString]
        return try context.fetch(request).compactMap { row in
            guard let id = row.object(forKey: names.id) as? NSManagedObjectID,
                let path = RowPath.path(row.object(forKey: names.path), row.object(forKey: names.bytes))
            else { return nil }
            let number = { (place: Int) in (row.object(forKey: stamp[place]) as? NSNumber)?.int64Value ?? -1 }
            return KnownFile(
                id: id, path: path, stamp: FileStamp(number: number(0), size: number(1), time: number(2)),
                isAvailable: (row.object(forKey: names.isAvailable) as? NSNumber)?.boolValue ?? true)
        }
    }

    /// All persistent identifiers.
    static func identifiers(in context: NSManagedObjectContext) throws -> Set<Int64> {
        let request = NSFetchRequest<NSDictionary>(entityName: MediaModel.item)
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["persistentID"]
        return Set(try context.fetch(request).compactMap { ($0["persistentID"] as? NSNumber)?.int64Value })
    }

    /// Rows with one of some hashes whose files are not where they were, in whatever folder.
    static func orphans(of hashes: [String], in context: NSManagedObjectContext) throws -> [String: [NSManagedObject]] {
        guard !hashes.isEmpty else { return [:] }
        let request = NSFetchRequest<NSManagedObject>(entityName: MediaModel.item)
        request.predicate = NSPredicate(format: "contentHash IN %@", hashes)
        var orphans: [String: [NSManagedObject]] = [:]
        for row in try context.fetch(request) {
            guard let hash = row.value(forKey: "contentHash") as? String,
                RowPath.location(of: row).map(FileStamp.of) ?? nil == nil
            else { continue }
            orphans[hash, default: []].append(row)
        }
        return orphans
    }

    /// A new item. Its identifier is made of the contents, so that a library that is made again has the same ones.
    static func insert(
        _ hash: String?, _ known: inout Set<Int64>, in context: NSManagedObjectContext
    ) -> NSManagedObject {
        let row = NSEntityDescription.insertNewObject(forEntityName: MediaModel.item, into: context)
        var id = hash.flatMap { UInt64($0.prefix(16), radix: 16) }.map { Int64(bitPattern: $0) } ?? 0
        while id == 0 || !known.insert(id).inserted { id = Int64.random(in: Int64.min...Int64.max) }
        row.setValue(NSNumber(value: id), forKey: "persistentID")
        row.setValue(Date(), forKey: "dateAdded")
        return row
    }

    /// Says where a row's file is.
    static func place(_ row: NSManagedObject, _ file: FoundFile) {
        setPath(file.path, of: row)
        row.setValue(NSNumber(value: file.stamp.number), forKey: "fileNumber")
        row.setValue(NSNumber(value: file.stamp.size), forKey: "fileSize")
        row.setValue(NSNumber(value: file.stamp.time), forKey: "fileTime")
        row.setValue(true, forKey: "isAvailable")
    }

    /// Sets everything that a file says. What people do with an item, its counts and rating, stays.
    static func fill(_ row: NSManagedObject, _ work: ScanWork) {
        place(row, work.file)
        let facts = work.facts
        let album = facts.albumTitle.map { "\($0)\u{0}\(facts.albumArtist ?? "")" }
        let isPodcast = !facts.type.isDisjoint(with: [.podcast, .videoPodcast])
        let texts: [String: String?] = [
            "title": facts.title ?? work.file.path.stem, "artist": joined(facts.artists),
            "albumTitle": facts.albumTitle,
            "albumArtist": facts.albumArtist, "composer": joined(facts.composers), "genre": joined(facts.genres),
            "comments": facts.comments, "lyrics": facts.lyrics, "userGrouping": facts.grouping,
            "podcastTitle": isPodcast ? facts.albumTitle : nil, "mimeType": facts.mimeType, "contentHash": work.hash,
            "problem": facts.problem,
        ]
        for (key, text) in texts { row.setValue(text, forKey: key) }
        let numbers: [String: Int?] = [
            "albumTrackNumber": facts.trackNumber, "albumTrackCount": facts.trackCount, "discNumber": facts.discNumber,
            "discCount": facts.discCount, "beatsPerMinute": facts.beatsPerMinute, "width": facts.width,
            "height": facts.height, "mediaType": Int(facts.type.rawValue),
            "albumPersistentID": GroupIdentifier.of("album", album),
            "artistPersistentID": GroupIdentifier.of("artist", joined(facts.artists)),
            "albumArtistPersistentID": GroupIdentifier.of("albumArtist", facts.albumArtist),
            "composerPersistentID": GroupIdentifier.of("composer", joined(facts.composers)),
            "genrePersistentID": GroupIdentifier.of("genre", joined(facts.genres)),
            "podcastPersistentID": isPodcast ? GroupIdentifier.of("podcast", facts.albumTitle) : nil,
        ]
        for (key, number) in numbers { row.setValue(number.map { NSNumber(value: $0) }, forKey: key) }
        row.setValue(facts.duration.map { NSNumber(value: $0) }, forKey: "playbackDuration")
        row.setValue(facts.isCompilation, forKey: "isCompilation")
        row.setValue(facts.releaseDate, forKey: "releaseDate")
        setLists(row, ["artist": facts.artists, "composer": facts.composers, "genre": facts.genres])
    }

    /// Several artists or genres as one text.
    static func joined(_ values: [String]) -> String? { values.isEmpty ? nil : values.joined(separator: "; ") }

    /// Keeps lists of more than one value as rows, in order.
    private static func setLists(_ row: NSManagedObject, _ lists: [String: [String]]) {
        guard let context = row.managedObjectContext else { return }
        if !row.objectID.isTemporaryID, let old = row.value(forKey: "tags") as? Set<NSManagedObject> {
            for tag in old { context.delete(tag) }
        }
        for (name, values) in lists where values.count > 1 {
            for (position, value) in values.enumerated() {
                let tag = NSEntityDescription.insertNewObject(forEntityName: MediaModel.tag, into: context)
                tag.setValue(name, forKey: "name")
                tag.setValue(NSNumber(value: position), forKey: "position")
                tag.setValue(value, forKey: "value")
                tag.setValue(row, forKey: "item")
            }
        }
    }
}

/// Identifiers of albums, artists and other groups, made of their names: equal for names that differ in case only.
enum GroupIdentifier {
    /// By FNV-1a, 64 bits; nil without a name.
    static func of(_ kind: String, _ name: String?) -> Int? {
        guard let name, !name.isEmpty else { return nil }
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in "\(kind)\u{0}\(name.lowercased())".utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return Int(Int64(bitPattern: hash == 0 ? 1 : hash))
    }
}
