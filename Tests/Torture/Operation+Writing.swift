import CoreData
import StoreContract

/// Operations that change what a store holds.
extension Operation {
    /// Changes of every kind in one save, large values among them.
    static func save(_ folder: URL, journal: String = "wal", _ options: [AnyHashable: Any] = [:]) throws {
        try Library.with(folder, journal: journal, options) { scene in
            let context = scene.context
            let documents = try context.all("Document", sortedBy: "name")
            let folders = try context.all("Folder", sortedBy: "name")
            let tags = try context.all("Tag", sortedBy: "name")
            guard documents.count == 18, folders.count == 3, tags.count >= 4 else {
                try scene.throwReported()
                return
            }
            documents[0].setValue("changed", forKey: "text")
            documents[1].setValue(Data(repeating: 9, count: 120_000), forKey: "blob")
            documents[2].setValue(folders[2], forKey: "folder")
            documents[3].setValue(NSSet(array: [tags[0]]), forKey: "tags")
            context.delete(documents[4])
            let new = context.insert("Document", ["name": "new", "blob": Data(repeating: 8, count: 130_000)])
            new.setValue(NSSet(array: tags), forKey: "tags")
            context.insert("Folder", ["name": "new folder", "documents": NSOrderedSet(array: [new])])
            try context.save()
        }
    }

    /// Deletes a folder with all that is in it.
    @Sendable static func delete(_ folder: URL) throws {
        try Library.with(folder) { scene in
            for folder in try scene.context.all("Folder", NSPredicate(format: "name == 'folder 1'")) {
                scene.context.delete(folder)
            }
            try scene.context.save()
        }
    }

    @Sendable static func purge(_ folder: URL) throws {
        try Library.with(folder, [NSPersistentHistoryTrackingKey: true]) { scene in
            let request = NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture)
            _ = try scene.context.execute(request)
        }
    }

    @Sendable static func insertBatch(_ folder: URL) throws {
        try Library.with(folder) { scene in
            let rows: [[String: Any]] = (0..<40).map { ["name": "batch \($0)", "size": $0, "text": "of the batch"] }
            _ = try scene.context.execute(NSBatchInsertRequest(entityName: "Document", objects: rows))
        }
    }

    @Sendable static func updateBatch(_ folder: URL) throws {
        try Library.with(folder) { scene in
            let request = NSBatchUpdateRequest(entityName: "Document")
            request.predicate = NSPredicate(format: "folder.name == 'folder 2'")
            request.propertiesToUpdate = ["text": "updated", "size": NSExpression(forConstantValue: 99)]
            _ = try scene.context.execute(request)
        }
    }

    @Sendable static func deleteBatch(_ folder: URL) throws {
        try Library.with(folder) { scene in
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Document")
            request.predicate = NSPredicate(format: "size < 12")
            _ = try scene.context.execute(NSBatchDeleteRequest(fetchRequest: request))
        }
    }

    @Sendable static func setMetadata(_ folder: URL) throws {
        let url = Library.url(folder)
        var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: url, options: nil)
        metadata["note"] = String(repeating: "n", count: 3_000)
        try NSPersistentStoreCoordinator.setMetadata(
            metadata, forPersistentStoreOfType: NSSQLiteStoreType, at: url, options: nil)
    }
}
