import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing
import VersionSketches

@testable import CoreDataSQLite

/// What a store has besides its rows: history, derived values, files of large values, constraints, metadata.
@Suite struct CarriedOverTests {
    private static func notes(_ change: (ModelBuilder) -> Void = { _ in }) -> NSManagedObjectModel {
        MigrationScene.model { builder in
            builder.entity(
                "Note", ["title": .stringAttributeType, "body": .binaryDataAttributeType, "mark": .stringAttributeType])
            builder.entity("Tag", ["name": .stringAttributeType])
            builder.relationships("Note.tags*", "Tag.note")
            change(builder)
        }
    }

    // MARK: Large values

    @Test("large values move into files and out of them when the flag changes (MIG-18)", arguments: [true, false])
    func largeValuesMove(isMarkedAfter: Bool) throws {
        func model(_ isMarked: Bool) -> NSManagedObjectModel {
            Self.notes { $0.attribute("Note.body").allowsExternalBinaryDataStorage = isMarked }
        }
        let (large, small) = (Data(repeating: 7, count: 300_000), Data("small".utf8))
        let scene = try MigrationScene(model(!isMarkedAfter)) { context in
            context.insert("Note", ["title": "large", "body": large])
            context.insert("Note", ["title": "small", "body": small])
            context.insert("Note", ["title": "none"])
        }
        let folder = scene.url.deletingLastPathComponent().appendingPathComponent(".Test_SUPPORT/_EXTERNAL_DATA")
        func files() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: folder.path).count) ?? 0 }
        #expect(files() == (isMarkedAfter ? 0 : 1))
        try scene.with(model(isMarkedAfter)) { context in
            let bodies = try context.all("Note", sortedBy: "title").map { $0.value(forKey: "body") as? Data }
            #expect(bodies == [large, nil, small])
        }
        #expect(files() == (isMarkedAfter ? 1 : 0))
    }

    @Test("the files of a removed attribute go, and stay when the migration fails (MIG-18)")
    func filesOfRemovedAttribute() throws {
        let old = Self.notes { $0.attribute("Note.body").allowsExternalBinaryDataStorage = true }
        let scene = try MigrationScene(old) { context in
            for title in ["a", "a"] {
                context.insert("Note", ["title": title, "body": Data(repeating: 7, count: 300_000)])
            }
        }
        let folder = scene.url.deletingLastPathComponent().appendingPathComponent(".Test_SUPPORT/_EXTERNAL_DATA")
        func files() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: folder.path).count) ?? 0 }
        #expect(files() == 2)
        let refused = Self.notes { builder in
            builder["Note"].properties.removeAll { $0.name == "body" }
            builder["Note"].uniquenessConstraints = [["title"]]
        }
        expectError(134111) { try scene.with(refused) { _ in } }
        #expect(files() == 2)
        #expect(try scene.with(old) { try $0.all("Note").compactMap { $0.value(forKey: "body") as? Data }.count } == 2)
        let new = Self.notes { builder in builder["Note"].properties.removeAll { $0.name == "body" } }
        #expect(try scene.with(new) { try $0.all("Note").count } == 2)
        #expect(files() == 0)
    }

    @Test("a missing file of a large value stops a migration that needs it, and nothing changes (MIG-18)")
    func missingFile() throws {
        let old = Self.notes { $0.attribute("Note.body").allowsExternalBinaryDataStorage = true }
        let scene = try MigrationScene(old) { $0.insert("Note", ["body": Data(repeating: 7, count: 300_000)]) }
        let folder = scene.url.deletingLastPathComponent().appendingPathComponent(".Test_SUPPORT/_EXTERNAL_DATA")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
        let before = scene.bytes
        let error = expectError(134110) { try scene.with(Self.notes()) { _ in } }
        #expect(error?.localizedDescription.contains("file") == true)
        #expect(scene.bytes[0] == before[0])
        #expect(try scene.with(old) { try $0.all("Note").count } == 1)
    }

    // MARK: Constraints

    @Test("values that are there twice refuse a new constraint, named, before anything is touched (MIG-02)")
    func valuesThatAreThereTwiceRefuseNewConstraint() throws {
        let scene = try MigrationScene(Self.notes()) { context in
            for title in ["a", "b", "b"] { context.insert("Note", ["title": title]) }
        }
        let before = scene.bytes
        let new = Self.notes { $0["Note"].uniquenessConstraints = [["title"]] }
        let error = expectError(134111) { try scene.with(new) { _ in } }
        #expect(error?.localizedDescription.contains("2 objects of Note or more have the same title") == true)
        #expect(scene.bytes[0] == before[0])
        try scene.with(Self.notes()) { context in
            context.delete(try #require(try context.all("Note", sortedBy: "title").last))
            try context.save()
        }
        #expect(try scene.with(new) { try $0.all("Note").count } == 2)
        let index = try scene.value("SELECT sql FROM sqlite_master WHERE name = 'Z_Note_UNIQUE_title'")?.text
        #expect(index?.hasPrefix("CREATE UNIQUE INDEX") == true)
    }

    // MARK: Derived values

    @Test("derived attributes are computed for old rows, and kept up to date from then on (MIG-03)")
    func derivedValues() throws {
        let scene = try MigrationScene(Self.notes()) { context in
            for title in ["Über", "b"] {
                let note = context.insert("Note", ["title": title])
                for _ in 0..<title.count { context.insert("Tag").setValue(note, forKey: "note") }
            }
        }
        func model(renamed: Bool) -> NSManagedObjectModel {
            let builder = ModelBuilder()
            builder.entity(
                "Note",
                [
                    renamed ? "head" : "title": .stringAttributeType, "body": .binaryDataAttributeType,
                    "mark": .stringAttributeType,
                ])
            builder.entity("Tag", ["name": .stringAttributeType])
            builder.relationships("Note.tags*", "Tag.note")
            if renamed { builder.attribute("Note.head").renamingIdentifier = "title" }
            builder.derived("Note.count", .integer64AttributeType, "tags.@count")
            builder.derived("Note.plain", .stringAttributeType, "canonical:(\(renamed ? "head" : "title"))")
            return builder.model
        }
        for renamed in [false, true] {
            try scene.with(model(renamed: renamed)) { context in
                let notes = try context.all("Note", sortedBy: renamed ? "head" : "title")
                #expect(notes.map { $0.value(forKey: "plain") as? String } == ["b", "uber"])
                #expect(notes.map { $0.value(forKey: "count") as? Int } == [renamed ? 2 : 1, 4])
                context.insert("Tag").setValue(notes[0], forKey: "note")
                try context.save()
                #expect(notes[0].value(forKey: "count") as? Int == (renamed ? 3 : 2))
            }
        }
    }

    @Test("a new attribute's rule fills old rows, required ones without a default too (MIG-23)")
    func newAttributesRuleFillsOldRows() throws {
        let scene = try MigrationScene(Self.notes()) { context in
            let note = context.insert("Note", ["title": "abc"])
            context.insert("Tag", ["name": "x"]).setValue(note, forKey: "note")
            context.insert("Tag", ["name": "y"])
        }
        let version = try scene.rows("SELECT Z_OPT FROM ZNOTE")
        func model(_ rule: String) -> NSManagedObjectModel {
            Self.notes { builder in
                builder["Note"].properties += LightweightMigrationTests.attributes(["loud": .stringAttributeType])
                builder["Tag"].properties += LightweightMigrationTests.attributes(["owner": .stringAttributeType])
                builder.attribute("Note.loud").isOptional = false
                builder.attribute("Note.loud").userInfo = [CoreDataBackfillUserInfoKey: rule]
                builder.attribute("Tag.owner").userInfo = [CoreDataBackfillUserInfoKey: "note.title"]
            }
        }
        let before = scene.bytes
        for rule in ["no such(", "missing", "nothing.at.all", "5 + 5", "tags.name"] {
            let error = expectError(134110) { try scene.with(model(rule)) { _ in } }
            #expect(error?.localizedDescription.contains("Note.loud") == true, "\(rule)")
        }
        expectError(134110) { try scene.with(model("nil")) { _ in } }
        #expect(scene.bytes[0] == before[0])
        try scene.with(model("uppercase:(title)")) { context in
            let texts = try context.all("Note").map { $0.value(forKey: "loud") as? String }
            #expect(texts == ["ABC"])
            let owners = try context.all("Tag", sortedBy: "name").map { $0.value(forKey: "owner") as? String }
            #expect(owners == ["abc", nil])
        }
        #expect(try scene.rows("SELECT Z_OPT FROM ZNOTE") == version)
    }

    // MARK: History

    @Test("history goes on after a migration: entities, changed properties and tombstones are those of now (CTX-34)")
    func historyGoesOnAfterMigration() throws {
        let tracked: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
        let old = Self.notes { builder in
            builder.attribute("Note.title").preservesValueInHistoryOnDeletion = true
            builder.attribute("Note.mark").preservesValueInHistoryOnDeletion = true
        }
        let scene = try MigrationScene(old, options: tracked) { context in
            let note = context.insert("Note", ["title": "one", "mark": "m"])
            context.insert("Note", ["title": "two"])
            context.insert("Tag", ["name": "t"])
            try context.save()
            note.setValue("uno", forKey: "title")
            note.setValue(Data([1]), forKey: "body")
            try context.save()
            context.delete(note)
        }
        let new = MigrationScene.model { builder in
            builder.entity("Aaa", ["x": .stringAttributeType])
            builder.entity(
                "Note", ["head": .stringAttributeType, "zz": .stringAttributeType, "mark": .stringAttributeType])
            builder.attribute("Note.head").renamingIdentifier = "title"
            builder.attribute("Note.mark").preservesValueInHistoryOnDeletion = true
            builder.attribute("Note.zz").preservesValueInHistoryOnDeletion = true
        }
        scene.options.merge(tracked) { $1 }
        try scene.with(new) { context in
            let transactions = try Self.transactions(context)
            #expect(transactions.count == 3)
            let changes = transactions.map { $0.changes ?? [] }
            // The tag's insertion went with its entity.
            #expect(changes[0].map(\.changedObjectID.entity.name) == ["Note", "Note"])
            #expect(changes[1].map { Set(($0.updatedProperties ?? []).map(\.name)) } == [["head"]])
            #expect(changes[2].map(\.changeType) == [.delete])
            let tombstone = changes[2].first?.tombstone ?? [:]
            #expect(tombstone["mark"] as? String == "m")
            #expect(tombstone["zz"] == nil)
            context.insert("Aaa", ["x": "1"])
            try context.save()
            #expect(try Self.transactions(context).count == 4)
        }
        #expect(try scene.value("SELECT count(DISTINCT ZENTITY) FROM ACHANGE")?.integer == 2)
    }

    @Test("numbers of tombstones become those of the new types; what does not fit is left out (CTX-34, MIG-10)")
    func numbersOfTombstones() throws {
        let tracked: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
        let scene = try MigrationScene(DeletedNumbers.model(new: false), options: tracked, DeletedNumbers.fill)
        scene.options.merge(tracked) { $1 }
        let faults = try scene.with(DeletedNumbers.model(new: true)) { try DeletedNumbers.faults($0) }
        #expect(faults == [])
    }

    private static func transactions(_ context: NSManagedObjectContext) throws -> [NSPersistentHistoryTransaction] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        let result = try context.execute(request) as? NSPersistentHistoryResult
        return result?.result as? [NSPersistentHistoryTransaction] ?? []
    }

    @Test("a store of one configuration follows its entities alone, whatever prevents others (MIG-01)")
    func storeOfOneConfigurationFollowsItsEntitiesAlone() throws {
        func model(_ version: Int) -> NSManagedObjectModel {
            let model = MigrationScene.model { builder in
                builder.entity("Local", ["name": .stringAttributeType])
                builder.entity("Shared", ["size": version == 1 ? .stringAttributeType : .integer32AttributeType])
                guard version > 1 else { return }
                builder.entity("Added", ["x": .stringAttributeType])
                builder["Local"].properties += LightweightMigrationTests.attributes(["note": .stringAttributeType])
            }
            let byName = model.entitiesByName
            model.setEntities(["Local", "Added"].compactMap { byName[$0] }, forConfigurationName: "Device")
            model.setEntities(["Shared"].compactMap { byName[$0] }, forConfigurationName: "Cloud")
            return model
        }
        let folder = try TemporaryFolder()
        func open(_ version: Int, _ configuration: String) throws -> (
            NSPersistentStoreCoordinator, NSManagedObjectContext
        ) {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model(version))
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: configuration,
                at: folder.url.appendingPathComponent("\(configuration).sqlite"), options: MigrationScene.automatic)
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = coordinator
            return (coordinator, context)
        }
        for (configuration, entity, values) in [("Device", "Local", ["name": "a"]), ("Cloud", "Shared", ["size": "1"])]
        {
            let (coordinator, context) = try open(1, configuration)
            context.insert(entity, values)
            try context.save()
            for store in coordinator.persistentStores { try coordinator.remove(store) }
        }
        let (_, context) = try open(2, "Device")
        #expect(try context.all("Local").map { $0.value(forKey: "name") as? String } == ["a"])
        context.insert("Added", ["x": "1"])
        try context.save()
        let error = expectError(134140) { _ = try open(2, "Cloud") }
        #expect(error?.localizedDescription.contains("Shared.size") == true)
    }

    // MARK: Metadata and places

    @Test(
        "the program's metadata, identity, kept model, digest and checksum are those of a store of the version (MIG-01)"
    )
    func programsMetadataIdentityKeptModel() throws {
        let scene = try MigrationScene(Self.notes())
        try scene.with(Self.notes()) { context in
            let coordinator = try #require(context.persistentStoreCoordinator)
            let store = try #require(coordinator.persistentStores.first)
            coordinator.setMetadata(["own": "value"], for: store)
            try context.save()
        }
        let new = Self.notes { $0.entity("Other", ["x": .stringAttributeType]) }
        try scene.with(new) { context in
            let store = try #require(context.persistentStoreCoordinator?.persistentStores.first)
            #expect(store.metadata["own"] as? String == "value")
        }
        let made = try MigrationScene(new)
        let (migrated, fresh) = (try StoreFile.metadata(at: scene.url), try StoreFile.metadata(at: made.url))
        for key in MetadataRules.storeKeys where key != NSStoreUUIDKey {
            #expect(migrated[key] as? NSObject == fresh[key] as? NSObject, "\(key)")
        }
        let kept = try StoreFile.cachedModel(at: scene.url)
        #expect(kept?.entityVersionHashesByName == new.entityVersionHashesByName)
    }

    @Test("a hierarchy that is taken apart keeps its rows, keys and links (MIG-05)", arguments: [true, false])
    func hierarchyTakenApart(apart: Bool) throws {
        func model(_ isFlat: Bool) -> NSManagedObjectModel {
            MigrationScene.model { builder in
                if !isFlat { builder.entity("Thing", [:]) }
                if !isFlat { builder["Thing"].isAbstract = true }
                builder.entity("Car", in: isFlat ? nil : "Thing", ["plate": .stringAttributeType])
                builder.entity("Dog", in: isFlat ? nil : "Thing", ["name": .stringAttributeType])
                builder.relationships("Dog.car", "Car.dogs*")
            }
        }
        let scene = try MigrationScene(model(!apart)) { context in
            let car = context.insert("Car", ["plate": "A1"])
            for name in ["Rex", "Zoe"] { context.insert("Dog", ["name": name]).setValue(car, forKey: "car") }
        }
        guard apart else {
            // Two lines of inheritance with keys of their own cannot become one.
            expectError(134140) { try scene.with(model(false)) { _ in } }
            return
        }
        try scene.with(model(true)) { context in
            let dogs = try context.all("Dog", sortedBy: "name")
            #expect(
                dogs.map { ($0.value(forKey: "car") as? NSManagedObject)?.value(forKey: "plate") as? String } == [
                    "A1", "A1",
                ])
            #expect(Set(dogs.map(\.rowKey) + (try context.all("Car").map(\.rowKey))).count == 3)
            context.insert("Dog", ["name": "New"])
            try context.save()
            #expect(try context.all("Dog").map(\.rowKey).max() == 4)
        }
    }
}
