import CoreData
import StoreContract
import TestBasics
import Testing

/// Stores are moved to classes of one's own and back.
@Suite struct MovingTests {
    private static func model() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Thing",
            [
                "number": .integer64AttributeType, "text": .stringAttributeType, "real": .doubleAttributeType,
                "price": .decimalAttributeType, "date": .dateAttributeType, "data": .binaryDataAttributeType,
                "uuid": .UUIDAttributeType,
            ])
        builder.entity("Special", in: "Thing", ["note": .stringAttributeType])
        builder.entity("Group", ["name": .stringAttributeType])
        builder.relationships("Group.things*!", "Thing.group")
        builder.relationships("Thing.friends*", "Thing.admirers*")
        builder.relationships("Group.ranked*!", "Thing.ranking*!")
        builder.relationship("Group.chief", to: "Thing")
        builder["Thing"].relationshipsByName["group"]?.isOptional = false
        return builder.model
    }

    private static func fill(_ context: NSManagedObjectContext) throws {
        let groups = ["one", "two"].map { context.insert("Group", ["name": $0]) }
        let things = (0..<12).map { number -> NSManagedObject in
            let thing = context.insert(number % 3 == 0 ? "Special" : "Thing")
            thing.setValue(number, forKey: "number")
            if number % 4 != 0 { thing.setValue("text \(number)", forKey: "text") }
            thing.setValue(Double(number) / 3, forKey: "real")
            thing.setValue(NSDecimalNumber(string: "1234567890.\(number)"), forKey: "price")
            thing.setValue(Date(timeIntervalSinceReferenceDate: Double(number) + 0.25), forKey: "date")
            thing.setValue(Data(repeating: UInt8(number), count: number == 5 ? 200_000 : 3), forKey: "data")
            thing.setValue(UUID(), forKey: "uuid")
            return thing
        }
        for (number, thing) in things.enumerated() {
            thing.setValue(groups[number % 2], forKey: "group")
            thing.setValue(NSSet(array: [things[(number + 1) % 12], things[(number + 5) % 12]]), forKey: "friends")
        }
        for (number, group) in groups.enumerated() {
            let members = things.indices.filter { $0 % 2 == number }.map { things[$0] }
            group.setValue(NSOrderedSet(array: members.reversed()), forKey: "things")
            group.setValue(
                NSOrderedSet(array: [[7, 2, 9, 4], [4, 9, 2, 1]][number].map { things[$0] }), forKey: "ranked")
            group.setValue(things[number], forKey: "chief")
        }
        things[2].mutableOrderedSetValue(forKey: "ranking").moveObjects(at: [0], to: 1)
        try context.save()
    }

    /// All that a store has, as text.
    private static func content(_ context: NSManagedObjectContext) throws -> [String] {
        func name(_ value: Any?) -> String {
            let object = value as? NSManagedObject
            return "\(object?.value(forKey: object?.entity.name == "Group" ? "name" : "number") ?? "nil")"
        }
        func text(_ value: Any?) -> String {
            switch value {
            case let set as NSSet: "\(set.allObjects.map(name).sorted())"
            case let set as NSOrderedSet: "\(set.array.map(name))"
            case let object as NSManagedObject: name(object)
            case let data as Data: "\(data.count) of \(data.first ?? 0)"
            case let value?: "\(value)"
            case nil: "nil"
            }
        }
        return try (context.all("Thing") + context.all("Group")).map { object in
            let keys = object.entity.propertiesByName.keys.sorted()
            return "\(object.entity.name ?? ""): \(keys.map { "\($0) \(text(object.value(forKey: $0)))" })"
        }.sorted()
    }

    private static let kinds = [
        {
            NSPersistentStoreCoordinator.registerStoreClass(
                FileAtomicStore.self, forStoreType: FileAtomicStore.kindName)
            return StoreKind(type: FileAtomicStore.kindName, capabilities: [.durable, .namesRecords])
        }(),
        JSONFileStore.kind([.durable, .exactDecimals, .exactReals, .namesRecords]),
    ]

    @Test("SQLite, a class of one's own, SQLite: the content is the same (STO-05, STO-27)", arguments: 0..<2)
    func thereAndBack(kind number: Int) throws {
        let kind = Self.kinds[number]
        let folder = try TemporaryFolder()
        let stack = try Stack(Self.model())
        try Self.fill(stack.context)
        stack.coordinator.setMetadata(["owner": "Ann"], for: stack.store)
        try stack.context.save()
        stack.context.reset()
        let before = try Self.content(stack.context)
        #expect(before.count == 14)
        for (place, type) in [("Own", kind.type), ("Back.sqlite", NSSQLiteStoreType)] {
            let old = stack.store
            let copy = try stack.coordinator.migratePersistentStore(
                old, to: folder.url.appendingPathComponent(place), options: nil, withType: type)
            #expect(copy.type == type && stack.coordinator.persistentStores == [copy])
            #expect(stack.coordinator.metadata(for: copy)["owner"] as? String == "Ann")
            // On the context's queue, where the objects have got their new identifiers by then.
            let after = try stack.context.performAndWait {
                stack.context.reset()
                return try Self.content(stack.context)
            }
            #expect(after == before)
        }
    }

    @Test("a place that is taken is refused, and the store stays where it was (STO-05)") func takenPlace() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Own")
        try Data("mine".utf8).write(to: url)
        let stack = try Stack(Self.model())
        try Self.fill(stack.context)
        let store = stack.store
        expectError(NSPersistentStoreOperationError) {
            try stack.coordinator.migratePersistentStore(store, to: url, options: nil, withType: Self.kinds[0].type)
        }
        #expect(stack.coordinator.persistentStores == [store])
        #expect(try Data(contentsOf: url) == Data("mine".utf8))
    }

    @Test("objects that the model refuses are named, and the store stays where it was (STO-05)") func refusedObjects()
        throws
    {
        let folder = try TemporaryFolder()
        let model = Self.model()
        let stack = try Stack(model)
        try Self.fill(stack.context)
        let store = stack.store
        // A batch sets no relationships: the thing lacks the group that it must have.
        try stack.context.execute(NSBatchInsertRequest(entityName: "Thing", objects: [["number": 99]]))
        expectError(NSValidationMissingMandatoryPropertyError) {
            try stack.coordinator.migratePersistentStore(
                store, to: folder.url.appendingPathComponent("Own"), options: nil, withType: Self.kinds[0].type)
        }
        #expect(stack.coordinator.persistentStores == [store])
        stack.context.reset()
        #expect(try stack.context.all("Thing").count == 13)
    }
}
