import CoreData

/// One song that is being changed in two contexts of a coordinator, of which the background one has been saved.
struct Conflict {
    let main: NSManagedObjectContext
    private let song: NSManagedObjectID
    private let background: NSManagedObjectContext

    /// Makes a new song in the coordinator's store, and changes it on both sides.
    init(in coordinator: NSPersistentStoreCoordinator) throws {
        main = Self.context(of: coordinator)
        background = Self.context(of: coordinator)
        song = try main.performAndWait { [main] in
            let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: main)
            song.setValuesForKeys(SongModel.stored)
            try main.save()
            song.setValuesForKeys(SongModel.mainChanges)
            return song.objectID
        }
        try background.performAndWait { [background, song] in
            try background.existingObject(with: song).setValuesForKeys(SongModel.backgroundChanges)
            try background.save()
        }
    }

    /// Deletes the song in the background.
    func deleteInBackground() throws {
        try background.performAndWait {
            background.delete(try background.existingObject(with: song))
            try background.save()
        }
    }

    /// Saves the main context with a policy; gives the values that the song then has.
    func resolved(by policy: NSMergePolicy) throws -> [String] {
        main.mergePolicy = policy
        return try main.performAndWait {
            try main.save()
            return Self.values(try main.existingObject(with: song))
        }
    }

    /// Saves the main context with the default policy; gives what the refusal says of each conflict.
    func refusal() throws -> [Refusal] {
        try main.performAndWait {
            do {
                try main.save()
                return []
            } catch let error as CocoaError where error.code == .managedObjectMerge {
                return (error.persistentStoreSaveConflicts ?? []).map(Refusal.init)
            }
        }
    }

    /// Resolves the conflict by hand: keeps some of the changes made here, and takes all else from the store.
    func resolvedByHand(keeping keys: Set<String>) throws -> [String] {
        try main.performAndWait {
            let object = try main.existingObject(with: song)
            let kept = object.changedValues().filter { keys.contains($0.key) }
            main.refresh(object, mergeChanges: false)
            object.setValuesForKeys(kept)
            try main.save()
            return Self.values(object)
        }
    }

    private static func context(of coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private static func values(_ song: NSManagedObject) -> [String] {
        SongModel.keys.map { song.value(forKey: $0) as? String ?? "" }
    }
}
