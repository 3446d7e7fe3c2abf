import CoreData
import StoreContract
import Testing

@testable import CoreDataGraph

/// Rows that were read before a change was committed, and are handed on after it.
@Suite(.timeLimit(.minutes(5))) struct ReadCacheTests {
    /// What somebody else does between the reading of a row and its publication.
    enum Change: CaseIterable {
        case nothing, update, updateAndLetGo, deletion, batchUpdate, batchDeletion, forgetting, otherRow
    }

    @Test("rows read before a commit are not in the row cache after it (CTX-28)", arguments: Change.allCases)
    func rowsReadBeforeCommitAreNotInRowCache(change: Change) throws {
        let scene = try ReadingScene(heroes: 2)
        try scene.meetAtStore()
        let layout = try #require(scene.coordinator.modelLayout.layout(named: "Hero"))
        let binding = scene.store.binding(for: layout)
        let writer = scene.newContext()
        var kept: [RowSnapshot] = []
        let held = Notes<Transfer<NSManagedObject?>>()
        try scene.store.reading { reading in
            let found = try reading.reader.fetch(FetchQuery(binding: binding))
            #expect(onAnotherThread { writer.performAndWait { held.add(Transfer(try? Self.make(change, writer))) } })
            guard case .rows(let runs) = reading.published(found) else { return }
            kept = runs.flatMap { run in run.range.map { RowSnapshot(slab: run.slab, index: $0) } }
        }
        #expect(kept.count == 2)
        // The heroes were inserted in the order of their names.
        let key = try #require(kept.map(\.key).min())
        let cached = scene.store.rowCache.row(root: layout.root, key: key)
        switch change {
        // Nobody else has the row.
        case .nothing, .otherRow: #expect(cached?.version == 1)
        case .update: #expect(cached?.version == 2)
        case .updateAndLetGo, .deletion, .batchUpdate, .batchDeletion, .forgetting: #expect(cached == nil)
        }
        withExtendedLifetime((kept, held)) {}
        // Who fills a fault gets what is there.
        let reader = scene.newContext()
        let strength = try reader.performAndWait {
            try reader.all("Hero", NSPredicate(format: "name = '0'")).first?.value(forKey: "strength") as? Int
        }
        switch change {
        case .nothing, .otherRow, .forgetting: #expect(strength == 0)
        case .update, .updateAndLetGo, .batchUpdate: #expect(strength == 7)
        case .deletion, .batchDeletion: #expect(strength == nil)
        }
    }

    /// Gives the object that somebody is to hold.
    private static func make(_ change: Change, _ context: NSManagedObjectContext) throws -> NSManagedObject? {
        let first = NSPredicate(format: "name = '0'")
        let hero = try context.all("Hero", first).first
        switch change {
        case .nothing: context.reset()
        case .update, .updateAndLetGo:
            hero?.setValue(7, forKey: "strength")
            try context.save()
            if change == .update { return hero }
        case .otherRow:
            context.reset()
            try context.all("Hero", NSPredicate(format: "name = '1'")).first?.setValue(7, forKey: "strength")
            try context.save()
        case .deletion:
            hero.map(context.delete)
            try context.save()
        case .batchUpdate:
            context.reset()
            let request = NSBatchUpdateRequest(entityName: "Hero")
            request.predicate = first
            request.propertiesToUpdate = ["strength": 7]
            try context.execute(request)
        case .batchDeletion:
            context.reset()
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Hero")
            request.predicate = first
            try context.execute(NSBatchDeleteRequest(fetchRequest: request))
        case .forgetting:
            guard let hero else { return nil }
            let identifier = hero.objectID
            context.reset()
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSUpdatedObjectsKey: [identifier]], into: [context])
        }
        return nil
    }

    @Test("of two readings at once the row with the later version stays, in either order of publishing (CTX-28)")
    func ofTwoReadingsAtOnceRowWithLaterVersionStays() throws {
        let scene = try ReadingScene(heroes: 1)
        try scene.meetAtStore()
        let layout = try #require(scene.coordinator.modelLayout.layout(named: "Hero"))
        let query = FetchQuery(binding: scene.store.binding(for: layout))
        // Another coordinator stands for another process, of whose saves this one hears nothing.
        let other = NSPersistentStoreCoordinator(managedObjectModel: scene.coordinator.managedObjectModel)
        try other.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: scene.url)
        let writer = NSManagedObjectContext(.privateQueue)
        writer.persistentStoreCoordinator = other
        var kept: [FetchedRows] = []
        try scene.store.reading { early in
            let old = try early.reader.fetch(query)
            try writer.performAndWait {
                try writer.all("Hero").first?.setValue(7, forKey: "strength")
                try writer.save()
            }
            try scene.store.reading { late in kept.append(late.published(try late.reader.fetch(query))) }
            kept.append(early.published(old))
        }
        guard case .rows(let runs)? = kept.last, let key = runs.first?.slab.key(0) else {
            Issue.record("no rows")
            return
        }
        #expect(runs.first?.slab.version(0) == 1)
        #expect(scene.store.rowCache.row(root: layout.root, key: key)?.version == 2)
    }
}
