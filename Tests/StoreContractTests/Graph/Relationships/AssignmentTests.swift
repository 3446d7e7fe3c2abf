import CoreData
import StoreContract
import TestBasics
import Testing

/// Objects that the program puts into one store of several.
@Suite struct AssignmentTests {
    private struct Stores {
        let folder: TemporaryFolder
        let context: NSManagedObjectContext
        let stores: [NSPersistentStore]

        init(_ kind: StoreKind, configurations: [String?] = [nil, nil]) throws {
            let model = HeroModel.make()
            model.setEntities([model.entitiesByName["Note"]!], forConfigurationName: "Notes")
            let (folder, coordinator) = (try TemporaryFolder(), NSPersistentStoreCoordinator(managedObjectModel: model))
            stores = try configurations.enumerated().map { number, name in
                try coordinator.addPersistentStore(
                    ofType: kind.type, configurationName: name,
                    at: folder.url.appendingPathComponent("\(number).sqlite"))
            }
            self.folder = folder
            context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = coordinator
        }
    }

    @Test("an object goes to the store that it was assigned to, others to the first (STO-08)", arguments: StoreKind.all)
    func assignedObjectGoesToItsStore(kind: StoreKind) throws {
        let scene = try Stores(kind)
        let heroes = ["0", "1", "2", "3", "4", "5"].map { scene.context.insert("Hero", ["name": $0]) }
        for hero in heroes[2...3] { scene.context.assign(hero, to: scene.stores[1]) }
        scene.context.assign(heroes[4], to: scene.stores[1])
        scene.context.assign(heroes[4], to: scene.stores[0])
        scene.context.assign(heroes[5], to: scene.stores[1])
        try scene.context.obtainPermanentIDs(for: [heroes[5]])
        let expected = [0, 0, 1, 1, 0, 1]
        #expect(heroes[5].objectID.persistentStore === scene.stores[1])
        try scene.context.save()
        #expect(heroes.map { $0.objectID.persistentStore === scene.stores[1] ? 1 : 0 } == expected)
        for (number, store) in scene.stores.enumerated() {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
            request.affectedStores = [store]
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let names = try scene.context.fetch(request).map { $0.value(forKey: "name") as? String }
            #expect(names == expected.indices.filter { expected[$0] == number }.map { "\($0)" })
        }
        scene.context.assign(heroes[2], to: scene.stores[1])
        heroes[2].setValue("changed", forKey: "name")
        try scene.context.save()
    }

    @Test(
        "objects that are assigned to two stores cannot be related (STO-08)", arguments: StoreKind.all,
        ["nemesis", "teams"])
    func relationshipOverStoresIsRefused(kind: StoreKind, key: String) throws {
        let scene = try Stores(kind)
        let hero = scene.context.insert("Hero", ["name": "Ann"])
        let other = scene.context.insert(key == "teams" ? "Team" : "Hero", ["name": "Bob"])
        hero.setValue(key == "teams" ? NSSet(object: other) : other, forKey: key)
        scene.context.assign(other, to: scene.stores[1])
        let error = #expect(throws: NSError.self) { try scene.context.save() }
        #expect(error?.code == NSManagedObjectExternalRelationshipError)
        scene.context.assign(hero, to: scene.stores[1])
        try scene.context.save()
        #expect(hero.objectID.persistentStore === scene.stores[1])
    }

    @Test("an object is not assigned to a store whose configuration leaves its entity out (STO-09)")
    func assignmentToOtherConfigurationStops() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let scene = try Stores(.inMemory, configurations: [nil, "Notes"])
            scene.context.assign(scene.context.insert("Hero"), to: scene.stores[1])
        }
        #expect(result.standardErrorText.contains("configuration 'Notes' has no entity 'Hero'"))
    }

    @Test("a saved object is not assigned to another store (STO-08)")
    func assignmentOfSavedObjectStops() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let scene = try Stores(.inMemory)
            let note = scene.context.insert("Note")
            try scene.context.save()
            scene.context.assign(note, to: scene.stores[1])
        }
        #expect(
            result.standardErrorText.contains("Can't reassign an object to a different store once it has been saved"))
    }

    @Test("an object with a permanent identifier is not assigned to another store (STO-08)")
    func assignmentOfIdentifiedObjectStops() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let scene = try Stores(.inMemory)
            let note = scene.context.insert("Note")
            try scene.context.obtainPermanentIDs(for: [note])
            scene.context.assign(note, to: scene.stores[1])
        }
        #expect(
            result.standardErrorText.contains("Can't reassign an object to a different store once it has been saved"))
    }

    @Test("an object is not assigned to a store of another coordinator (STO-08)")
    func assignmentToForeignStoreStops() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (scene, other) = (try Stores(.inMemory), try Stores(.inMemory))
            scene.context.assign(scene.context.insert("Note"), to: other.stores[0])
        }
        #expect(result.standardErrorText.contains("a store that is not among those of the context's coordinator"))
    }
}
