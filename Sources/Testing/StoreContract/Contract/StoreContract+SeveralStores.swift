import CoreDataGraph
import Testing

extension StoreContract {
    static let severalStores = [
        Clause(
            "STO-08, STO-09: objects land in their stores, a fetch spans both, a reference across is refused",
            configured),
        Clause("FET-28: one fetch gives the union of all stores, sorted; affectedStores restricts it", union),
        Clause("STO-08: a store that is removed takes its records with it", removed),
    ]

    /// Creates a context whose coordinator has one store of the kind for each configuration.
    private static func context(
        _ store: ContractStore, model: NSManagedObjectModel, configurations: [String?]
    ) throws -> (NSManagedObjectContext, [NSPersistentStore]) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let stores = try configurations.enumerated().map { number, configuration in
            try coordinator.addPersistentStore(
                ofType: store.kind.type, configurationName: configuration, at: store.url("Store\(number)"))
        }
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return (context, stores)
    }

    @Sendable private static func configured(_ store: ContractStore) throws {
        let builder = ModelBuilder()
        for name in ["A", "B"] { builder.entity(name, ["name": .stringAttributeType]) }
        builder.relationship("A.b", to: "B")
        builder.model.setEntities([builder["A"]], forConfigurationName: "One")
        builder.model.setEntities([builder["B"]], forConfigurationName: "Two")
        let (context, stores) = try context(store, model: builder.model, configurations: ["One", "Two"])
        let (a, b) = (context.insert("A", ["name": "a"]), context.insert("B", ["name": "b"]))
        try context.save()
        #expect(a.objectID.persistentStore === stores[0] && b.objectID.persistentStore === stores[1])
        #expect(try context.texts("A") == ["a"] && context.texts("B") == ["b"])
        a.setValue(b, forKey: "b")
        #expect(errorCode { try context.save() } == NSManagedObjectExternalRelationshipError)
        a.setValue(nil, forKey: "b")
        a.setValue("other", forKey: "name")
        b.setValue("other", forKey: "name")
        try context.save()
        context.reset()
        #expect(try context.texts("A") == ["other"] && context.texts("B") == ["other"])
    }

    /// Saves "b" in one store and "a" and "c" in another; returns a context with both stores.
    ///
    /// The parent entity is in both configurations, each of its subentities in one.
    private static func filled(_ store: ContractStore) throws -> (NSManagedObjectContext, [NSPersistentStore]) {
        let builder = ModelBuilder()
        let parent = builder.entity("Team", ["name": .stringAttributeType])
        builder.model.setEntities([parent, builder.entity("Home", in: "Team")], forConfigurationName: "One")
        builder.model.setEntities([parent, builder.entity("Away", in: "Team")], forConfigurationName: "Two")
        let (context, stores) = try context(store, model: builder.model, configurations: ["One", "Two"])
        context.insert("Home", ["name": "b"])
        for name in ["a", "c"] { context.insert("Away", ["name": name]) }
        try context.save()
        context.reset()
        return (context, stores)
    }

    @Sendable private static func union(_ store: ContractStore) throws {
        let (context, stores) = try filled(store)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Team")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        #expect(try context.fetch(request).map(\.nameValue) == ["a", "b", "c"])
        request.affectedStores = [stores[1]]
        #expect(try context.fetch(request).map(\.nameValue) == ["a", "c"] && context.count(for: request) == 2)
        request.affectedStores = nil
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
        request.fetchLimit = 1
        request.fetchOffset = 1
        #expect(try context.fetch(request).map(\.nameValue) == ["b"])
    }

    @Sendable private static func removed(_ store: ContractStore) throws {
        let (context, stores) = try filled(store)
        try context.persistentStoreCoordinator?.remove(stores[0])
        #expect(try context.texts("Team") == ["a", "c"])
    }
}
