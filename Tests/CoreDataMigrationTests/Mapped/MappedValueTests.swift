import CoreData
import Testing

/// Values and relationships that a mapped migration takes over.
@Suite struct MappedValueTests {
    private static func makeAttributes() -> [(name: String, type: String, value: Any)] {
        [
            ("i16", "Integer 16", -7), ("i32", "Integer 32", 70_000), ("i64", "Integer 64", Int64.min + 1),
            ("d", "Double", 0.1), ("f", "Float", Float(1.5)), ("b", "Boolean", true),
            ("n", "Decimal", NSDecimalNumber(string: "12.345")), ("s", "String", "ä🙂\u{0}x"),
            ("t", "Date", Date(timeIntervalSinceReferenceDate: 123.456)), ("u", "UUID", UUID()),
            ("l", "URI", URL(string: "http://example.com/a?b") as Any), ("x", "Binary", Data([0, 1, 255])),
            ("o", "Transformable", ["a": [1, 2]]),
        ]
    }

    private static var entity: String {
        let attributes = makeAttributes().map {
            "<attribute name=\"\($0.name)\" optional=\"YES\" attributeType=\"\($0.type)\"/>"
        }
        return attributes.joined()
            + "<attribute name=\"big\" optional=\"YES\" attributeType=\"Binary\" allowsExternalBinaryDataStorage=\"YES\"/>"
    }

    @Test("values of every type, nil and large values outside the file are taken over exactly (MIG-11)")
    func valuesAreKept() throws {
        let stores = try MappedStores(
            "<entity name=\"A\">\(Self.entity)</entity>",
            "<entity name=\"A\">\(Self.entity)<attribute name=\"extra\" optional=\"YES\" attributeType=\"String\"/></entity>"
        )
        let attributes = Self.makeAttributes()
        let large = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        try stores.fill { context in
            var values: [String: Any?] = Dictionary(uniqueKeysWithValues: attributes.map { ($0.name, $0.value) })
            values["big"] = large
            _ = MappedStores.insert("A", context, values)
            _ = MappedStores.insert("A", context)
        }
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: stores.old, destinationModel: stores.new)
        try stores.migrate(mapping)
        try stores.read { context in
            let objects = try MappedStores.all("A", context)
            #expect(objects.count == 2)
            let full = try #require(objects.first { $0.value(forKey: "s") != nil })
            let empty = try #require(objects.first { $0.value(forKey: "s") == nil })
            for attribute in attributes {
                let value = full.value(forKey: attribute.name) as? NSObject
                #expect(value == attribute.value as? NSObject, "\(attribute.name)")
                #expect(empty.value(forKey: attribute.name) == nil, "\(attribute.name)")
            }
            #expect(full.value(forKey: "big") as? Data == large && full.value(forKey: "extra") == nil)
        }
    }

    private static let graph = """
        <entity name="Team"><attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="players" optional="YES" toMany="YES" ordered="YES" destinationEntity="Player" inverseName="team"/>
        <relationship name="fans" optional="YES" toMany="YES" destinationEntity="Player" inverseName="favourites"/>
        <relationship name="captain" optional="YES" maxCount="1" destinationEntity="Player" inverseName="leads"/>
        <relationship name="guests" optional="YES" toMany="YES" destinationEntity="Player"/></entity>
        <entity name="Player"><attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="players"/>
        <relationship name="favourites" optional="YES" toMany="YES" destinationEntity="Team" inverseName="fans"/>
        <relationship name="leads" optional="YES" maxCount="1" destinationEntity="Team" inverseName="captain"/>
        <relationship name="friends" optional="YES" toMany="YES" destinationEntity="Player" inverseName="friends"/></entity>
        <entity name="Keeper" parentEntity="Player"><attribute name="hands" optional="YES" attributeType="Integer 16"/></entity>
        """

    @Test(
        "relationships of every kind are rebuilt, in their order, with sub-entities and to the entity itself (MIG-11)")
    func relationshipsAreRebuilt() throws {
        let stores = try MappedStores(
            Self.graph,
            Self.graph.replacingOccurrences(
                of: "<entity name=\"Player\">",
                with: "<entity name=\"Player\"><attribute name=\"rank\" optional=\"YES\" attributeType=\"String\"/>"))
        try stores.fill { context in
            let players = (0..<6).map { number in
                MappedStores.insert(number == 3 ? "Keeper" : "Player", context, ["name": "P\(number)"])
            }
            players[3].setValue(2, forKey: "hands")
            let teams = (0..<2).map { MappedStores.insert("Team", context, ["name": "T\($0)"]) }
            teams[0].setValue(NSOrderedSet(array: [players[4], players[3], players[0]]), forKey: "players")
            teams[1].setValue(NSOrderedSet(array: [players[5]]), forKey: "players")
            teams[0].setValue(NSSet(array: [players[1], players[5]]), forKey: "fans")
            teams[1].setValue(NSSet(array: [players[1]]), forKey: "fans")
            teams[0].setValue(players[3], forKey: "captain")
            teams[1].setValue(NSSet(array: [players[0], players[3]]), forKey: "guests")
            players[0].setValue(NSSet(array: [players[1], players[0]]), forKey: "friends")
        }
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: stores.old, destinationModel: stores.new)
        try stores.migrate(mapping)
        try stores.read { context in
            let teams = try MappedStores.all("Team", context, by: "name")
            let players = try MappedStores.all("Player", context, by: "name")
            #expect(players.count == 6 && players[3].entity.name == "Keeper" && players[0].entity.name == "Player")
            #expect(players[3].value(forKey: "hands") as? Int == 2)
            #expect(
                teams[0].value(forKey: "players") as? NSOrderedSet
                    == NSOrderedSet(array: [players[4], players[3], players[0]]))
            #expect(teams[1].value(forKey: "players") as? NSOrderedSet == NSOrderedSet(array: [players[5]]))
            #expect(teams[0].value(forKey: "fans") as? NSSet == NSSet(array: [players[1], players[5]]))
            #expect(teams[1].value(forKey: "fans") as? NSSet == NSSet(array: [players[1]]))
            #expect(players[1].value(forKey: "favourites") as? NSSet == NSSet(array: [teams[0], teams[1]]))
            #expect(teams[0].value(forKey: "captain") as? NSManagedObject == players[3])
            #expect(teams[1].value(forKey: "captain") == nil)
            #expect(players[3].value(forKey: "leads") as? NSManagedObject == teams[0])
            #expect(teams[1].value(forKey: "guests") as? NSSet == NSSet(array: [players[0], players[3]]))
            #expect(players[0].value(forKey: "friends") as? NSSet == NSSet(array: [players[0], players[1]]))
            #expect(players[1].value(forKey: "friends") as? NSSet == NSSet(array: [players[0]]))
            #expect(players[2].value(forKey: "team") == nil)
        }
    }

    @Test("paths, functions, constants and all six variables give values (MIG-12)")
    func expressionsGiveValues() throws {
        let stores = try MappedStores(
            """
            <entity name="Person"><attribute name="first" optional="YES" attributeType="String"/>
            <attribute name="age" optional="YES" attributeType="Integer 16"/>
            <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person" inverseName="staff"/>
            <relationship name="staff" optional="YES" toMany="YES" destinationEntity="Person" inverseName="boss"/></entity>
            """,
            """
            <entity name="Worker"><attribute name="name" optional="YES" attributeType="String"/>
            <attribute name="next" optional="YES" attributeType="Integer 32"/>
            <attribute name="bossName" optional="YES" attributeType="String"/>
            <attribute name="team" optional="YES" attributeType="Integer 64"/>
            <attribute name="fixed" optional="YES" attributeType="String"/>
            <attribute name="mapping" optional="YES" attributeType="String"/>
            <attribute name="property" optional="YES" attributeType="String"/>
            <attribute name="kind" optional="YES" attributeType="String" defaultValueString="as made"/>
            <attribute name="again" optional="YES" attributeType="String"/>
            <relationship name="chief" optional="YES" maxCount="1" destinationEntity="Worker" inverseName="workers"/>
            <relationship name="workers" optional="YES" toMany="YES" destinationEntity="Worker" inverseName="chief"/></entity>
            """)
        try stores.fill { context in
            let boss = MappedStores.insert("Person", context, ["first": "ann", "age": 60])
            _ = MappedStores.insert("Person", context, ["first": "bob", "age": 20, "boss": boss])
            _ = MappedStores.insert("Person", context, ["first": "cid", "age": 12, "boss": boss])
        }
        let mapping = NSEntityMapping(
            "Person", "Worker",
            attributes: [
                "name": "uppercase($source.first)", "next": "$source.age + 1", "bossName": "$source.boss.first",
                "team": "$source.staff.@count", "fixed": "\"constant\"", "mapping": "$entityMapping.name",
                "property": "$propertyMapping.name", "kind": nil, "again": "$destination.kind",
            ],
            relationships: ["chief": NSEntityMapping.mapped("PersonToWorker", "boss")])
        mapping.sourceExpression = NSExpression(
            format: "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"Person\", "
                + "\"age > 15\"), $manager.sourceContext, NO)")
        try stores.migrate(NSMappingModel(mapping))
        try stores.read { context in
            let workers = try MappedStores.all("Worker", context, by: "name")
            #expect(workers.map { $0.value(forKey: "name") as? String } == ["ANN", "BOB"])
            #expect(workers.map { $0.value(forKey: "next") as? Int } == [61, 21])
            #expect(workers.map { $0.value(forKey: "bossName") as? String } == [nil, "ann"])
            #expect(workers.map { $0.value(forKey: "team") as? Int } == [2, 0])
            for worker in workers {
                #expect(worker.value(forKey: "fixed") as? String == "constant")
                #expect(worker.value(forKey: "mapping") as? String == "PersonToWorker")
                #expect(worker.value(forKey: "property") as? String == "property")
                #expect(worker.value(forKey: "kind") as? String == "as made")
                #expect(worker.value(forKey: "again") as? String == "as made")
            }
            #expect(workers[1].value(forKey: "chief") as? NSManagedObject == workers[0])
        }
    }

    @Test("an inferred mapping renames, drops, adds and fills with defaults, as lightweight migration does (MIG-02)")
    func inferredMappingMigrates() throws {
        let stores = try MappedStores(
            """
            <entity name="Event"><attribute name="stamp" optional="YES" attributeType="Date"/>
            <attribute name="n" optional="YES" attributeType="Integer 16"/></entity><entity name="Gone"/>
            """,
            """
            <entity name="Occurrence" elementID="Event"><attribute name="start" optional="YES" attributeType="Date"
            elementID="stamp"/><attribute name="n" attributeType="Integer 16" defaultValueString="9"/>
            <attribute name="note" optional="YES" attributeType="String" defaultValueString="none"/></entity>
            <entity name="Fresh"/>
            """)
        try stores.fill { context in
            _ = MappedStores.insert("Event", context, ["stamp": Date(timeIntervalSinceReferenceDate: 5), "n": 4])
            _ = MappedStores.insert("Event", context, ["stamp": nil])
            _ = MappedStores.insert("Gone", context)
        }
        try stores.migrate(
            .inferredMappingModel(forSourceModel: stores.old, destinationModel: stores.new))
        try stores.read { context in
            let events = try MappedStores.all("Occurrence", context, by: "n")
            #expect(events.map { $0.value(forKey: "n") as? Int } == [4, 9])
            #expect(events[0].value(forKey: "start") as? Date == Date(timeIntervalSinceReferenceDate: 5))
            #expect(events.allSatisfy { $0.value(forKey: "note") as? String == "none" })
            #expect(try MappedStores.all("Fresh", context).isEmpty)
        }
    }

    @Test("bytes of a transformable attribute are taken over though the program lacks its transformer (MIG-11)")
    func bytesWithoutTransformerAreKept() throws {
        let entity = { (rest: String) in
            "<entity name=\"A\"><attribute name=\"o\" optional=\"YES\" attributeType=\"Transformable\" "
                + "valueTransformerName=\"NobodyHasThisTransformer\"/>\(rest)</entity>"
        }
        let extra = "<attribute name=\"m\" optional=\"YES\" attributeType=\"String\"/>"
        let stores = try MappedStores(entity(""), entity(extra))
        let bytes = Data("not an archive".utf8)
        // Written as bytes, by a model that says so.
        let plain = try MappedStores.model(entity("")).migrationCopy { _ in true }
        let context = try MappedStores.context(plain, stores.source)
        _ = MappedStores.insert("A", context, ["o": bytes])
        try context.save()
        try MappedStores.close(context)
        try stores.migrate(.inferredMappingModel(forSourceModel: stores.old, destinationModel: stores.new))
        let copy = try MappedStores.model(entity(extra)).migrationCopy { _ in true }
        let migrated = try MappedStores.context(copy, stores.destination)
        #expect(try MappedStores.all("A", migrated).first?.value(forKey: "o") as? Data == bytes)
        // The model that the store keeps names the transformer and the class.
        try MappedStores.close(migrated)
    }

    @Test("the program's metadata is carried over; identity and identifiers are the new store's own (MIG-11)")
    func metadataIsCarriedOver() throws {
        let stores = try MappedStores(
            "<entity name=\"A\"/>",
            "<entity name=\"A\"><attribute name=\"m\" optional=\"YES\" attributeType=\"String\"/></entity>")
        let context = try MappedStores.context(stores.old, stores.source)
        let coordinator = try #require(context.persistentStoreCoordinator)
        let store = try #require(coordinator.persistentStores.first)
        coordinator.setMetadata(["owner": "Ann"], for: store)
        try context.save()
        let identifier = store.identifier
        try MappedStores.close(context)
        try stores.migrate(.inferredMappingModel(forSourceModel: stores.old, destinationModel: stores.new))
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: stores.destination)
        #expect(metadata["owner"] as? String == "Ann")
        #expect(metadata[NSStoreUUIDKey] as? String != nil && metadata[NSStoreUUIDKey] as? String != identifier)
        #expect(stores.new.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    }

    @Test("a store migrates into memory and from shared memory to a file (MIG-11)")
    func otherKindsOfStores() throws {
        let stores = try MappedStores(
            "<entity name=\"A\"><attribute name=\"n\" optional=\"YES\" attributeType=\"Integer 16\"/></entity>",
            "<entity name=\"B\" elementID=\"A\"><attribute name=\"n\" optional=\"YES\" attributeType=\"Integer 16\"/></entity>"
        )
        try stores.fill { context in for n in 0..<3 { _ = MappedStores.insert("A", context, ["n": n]) } }
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: stores.old, destinationModel: stores.new)
        let manager = stores.manager()
        try manager.migrateStore(
            from: stores.source, type: .sqlite, mapping: mapping, to: URL(fileURLWithPath: "/dev/null"), type: .inMemory
        )
        let objects = try MappedStores.all("B", manager.destinationContext, by: "n")
        #expect(objects.map { $0.value(forKey: "n") as? Int } == [0, 1, 2])
        manager.reset()
        let shared = URL(fileURLWithPath: "/dev/null/mapped-\(UUID().uuidString)")
        let context = try MappedStores.context(stores.old, shared)
        _ = MappedStores.insert("A", context, ["n": 8])
        try context.save()
        try stores.manager().migrateStore(
            from: shared, type: .sqlite, mapping: mapping, to: stores.destination, type: .sqlite)
        #expect(try stores.read { try MappedStores.all("B", $0).map { $0.value(forKey: "n") as? Int } } == [8])
        let error = #expect(throws: NSError.self) {
            try stores.manager().migrateStore(
                from: stores.source, type: .inMemory, mapping: mapping, to: shared, type: .sqlite)
        }
        #expect(error?.code == NSMigrationManagerSourceStoreError)
    }
}
