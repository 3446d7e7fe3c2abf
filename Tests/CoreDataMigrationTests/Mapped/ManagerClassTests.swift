import CoreData
import StoreContract
import Synchronization
import TestBasics
import Testing

/// A store class of one's own says who migrates its stores.
@Suite struct ManagerClassTests {
    /// Counts the migrations that it is made for.
    private final class CountingManager: NSMigrationManager, @unchecked Sendable {
        static let count = Mutex(0)

        required init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
            Self.count.withLock { $0 += 1 }
            super.init(sourceModel: sourceModel, destinationModel: destinationModel)
        }

        static let calls = Mutex<Set<String>>([])

        override func migrateStore(
            from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
            with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
            destinationOptions dOptions: [AnyHashable: Any]? = nil
        ) throws {
            _ = Self.calls.withLock { $0.insert("migrateStore") }
            try super.migrateStore(
                from: sourceURL, sourceType: sStoreType, options: sOptions, with: mappings, toDestinationURL: dURL,
                destinationType: dStoreType, destinationOptions: dOptions)
        }

        override func associate(
            sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
            for entityMapping: NSEntityMapping
        ) {
            _ = Self.calls.withLock { $0.insert("associate") }
            super.associate(
                sourceInstance: sourceInstance, withDestinationInstance: destinationInstance, for: entityMapping)
        }
    }

    /// Notes with a text each, a line of a property list for each.
    private final class ListStore: NSAtomicStore, @unchecked Sendable {
        static let kindName = "MigratedList"

        override class func migrationManagerClass() -> AnyClass { CountingManager.self }

        private static func contents(_ url: URL) -> [String: Any] {
            let data = (try? Data(contentsOf: url)) ?? Data()
            return (try? PropertyListSerialization.propertyList(from: data, format: nil)) as? [String: Any] ?? [:]
        }

        override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
            try #require(contents(url)["metadata"] as? [String: Any])
        }

        override func loadMetadata() throws {
            metadata =
                Self.contents(try #require(url))["metadata"] as? [String: Any]
                ?? [NSStoreTypeKey: Self.kindName, NSStoreUUIDKey: UUID().uuidString]
        }

        override func load() throws {
            let model = try #require(persistentStoreCoordinator?.managedObjectModel)
            guard FileManager.default.fileExists(atPath: url?.path ?? "") else {
                metadata[NSStoreModelVersionHashesKey] = model.entityVersionHashesByName
                return try save()
            }
            let entity = try #require(model.entitiesByName["Note"])
            for (reference, values) in Self.contents(try #require(url))["notes"] as? [String: [String: Any]] ?? [:] {
                let node = NSAtomicStoreCacheNode(objectID: objectID(for: entity, withReferenceObject: reference))
                for (key, value) in values where entity.attributesByName[key] != nil {
                    node.setValue(value, forKey: key)
                }
                addCacheNodes([node])
            }
        }

        override func newReferenceObject(for managedObject: NSManagedObject) -> Any { UUID().uuidString }

        override func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
            let node = NSAtomicStoreCacheNode(objectID: managedObject.objectID)
            updateCacheNode(node, from: managedObject)
            return node
        }

        override func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
            for key in managedObject.entity.attributesByName.keys {
                node.setValue(managedObject.value(forKey: key), forKey: key)
            }
        }

        override func save() throws {
            var notes: [String: [String: Any]] = [:]
            for node in cacheNodes() {
                let keys = node.objectID.entity.attributesByName.keys
                notes["\(referenceObject(for: node.objectID))"] =
                    Dictionary(
                        uniqueKeysWithValues: keys.compactMap { key in node.value(forKey: key).map { (key, $0) } })
            }
            let contents: [String: Any] = ["metadata": metadata ?? [:], "notes": notes]
            try PropertyListSerialization.data(fromPropertyList: contents, format: .xml, options: 0)
                .write(to: try #require(url), options: .atomic)
        }
    }

    private static func source(_ name: String) -> Data {
        Data(
            """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
            <entity name="Note" representedClassName="NSManagedObject">
            <attribute name="\(name)" optional="YES" attributeType="String" elementID="text"/>
            <attribute name="number" optional="YES" attributeType="Integer 64"/>
            </entity>
            </model>
            """.utf8)
    }

    private static func model(_ name: String) throws -> NSManagedObjectModel {
        try NSManagedObjectModel(source: source(name))
    }

    @Test("the kinds of the library name NSMigrationManager (MIG-13)") func libraryKinds() throws {
        let stack = try Stack(try Self.model("text"))
        #expect(type(of: stack.store).migrationManagerClass() is NSMigrationManager.Type)
        #expect(
            ObjectIdentifier(NSPersistentStore.migrationManagerClass()) == ObjectIdentifier(NSMigrationManager.self))
    }

    @Test("a store of a class of one's own is migrated by the manager that the class names (MIG-13, STO-05)")
    func ownManager() throws {
        NSPersistentStoreCoordinator.registerStoreClass(ListStore.self, forStoreType: ListStore.kindName)
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Notes.plist")
        let kind = StoreKind(type: ListStore.kindName, capabilities: [])
        let old = try Stack(try Self.model("text"), url: url, kind: kind)
        for number in 0..<5 { old.context.insert("Note", ["text": "note \(number)", "number": number]) }
        try old.context.save()
        try old.coordinator.remove(old.store)
        #expect(CountingManager.count.withLock { $0 } == 0)
        // A store of such a class keeps no model: the old version is among the program's resources.
        let resources = try TemporaryFolder()
        let version = resources.url.appendingPathComponent("Old.xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        try Self.source("text").write(to: version.appendingPathComponent("contents"))
        let options = MigrationScene.automatic.merging([CoreDataMigrationResourcesOption: [resources.url]]) { $1 }
        let new = try Stack(try Self.model("title"), url: url, kind: kind, options: options)
        #expect(CountingManager.count.withLock { $0 } == 1)
        #expect(CountingManager.calls.withLock { $0 } == ["associate", "migrateStore"])
        let titles = try new.context.all("Note", sortedBy: "number").map { $0.value(forKey: "title") as? String }
        #expect(titles == (0..<5).map { "note \($0)" })
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(left == ["Notes.plist"])
    }
}
