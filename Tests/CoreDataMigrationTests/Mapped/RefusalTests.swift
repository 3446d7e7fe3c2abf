import CoreData
import Synchronization
import Testing

/// Cancels, asks for the progress, or keeps an object while a migration goes on.
final class WatchingPolicy: NSEntityMigrationPolicy {
    final class Watch {
        var progress: [Float] = []
        var cancelsAfter = Int.max
        var error: (any Error)?
        var count = 0
        var first: NSManagedObject?
    }

    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        guard let watch = manager.userInfo?["watch"] as? Watch else { return }
        watch.progress.append(manager.migrationProgress)
        watch.count += 1
        if watch.first == nil {
            watch.first =
                manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance]).first
        }
        if watch.count == watch.cancelsAfter { manager.cancelMigrationWithError(watch.error) }
    }

    override func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        (manager.userInfo?["watch"] as? Watch)?.progress.append(manager.migrationProgress)
    }
}

/// Mapped migrations that end early, and what they say.
@Suite struct RefusalTests {
    init() { ObjectClassResolver.register(module: "CoreDataMigrationTests") }

    private static let old = """
        <entity name="A"><attribute name="n" optional="YES" attributeType="Integer 32"/>
        <attribute name="s" optional="YES" attributeType="String"/>
        <relationship name="others" optional="YES" toMany="YES" destinationEntity="A" inverseName="others"/></entity>
        """
    private static let new = old.replacingOccurrences(
        of: "<attribute name=\"s\"",
        with: "<attribute name=\"m\" optional=\"YES\" attributeType=\"Date\"/><attribute name=\"s\"")

    private func stores(_ new: String = new, count: Int = 1) throws -> MappedStores {
        let stores = try MappedStores(Self.old, new)
        try stores.fill { context in
            for n in 0..<count { _ = MappedStores.insert("A", context, ["n": n, "s": "S"]) }
        }
        return stores
    }

    @Test("progress rises to 1 (MIG-20)")
    func progressRises() throws {
        let stores = try stores(count: 2_345)
        let manager = stores.manager()
        let watch = WatchingPolicy.Watch()
        manager.userInfo = ["watch": watch]
        #expect(manager.migrationProgress == 0)
        var observed: [Float] = []
        var mappings: [String?] = []
        let observations = [
            manager.observe(\.migrationProgress, options: [.new]) { _, change in
                if let value = change.newValue { observed.append(value) }
            },
            manager.observe(\.currentEntityMapping) { manager, _ in mappings.append(manager.currentEntityMapping?.name)
            },
        ]
        try stores.migrate(
            NSMappingModel(NSEntityMapping("A", "A", policy: "WatchingPolicy", attributes: ["n": "$source.n"])), manager
        )
        for observation in observations { observation.invalidate() }
        #expect(observed.count > 20 && observed == observed.sorted() && observed.last == 1)
        #expect(Set(mappings.compactMap { $0 }).count == 1 && mappings.last == .some(nil))
        #expect(watch.progress.count == 2 * 2_345 && watch.progress == watch.progress.sorted())
        #expect(watch.progress.first == 0 && watch.progress[2_344] > 0.3 && watch.progress[2_344] < 0.4)
        #expect((watch.progress.last ?? 1) > 0.6 && (watch.progress.last ?? 1) < 0.7)
        #expect(Set(watch.progress).count > 20 && manager.migrationProgress == 1)
        manager.reset()
        #expect(manager.migrationProgress == 0)
    }

    @Test("a cancelled migration is error 134120, or the program's own, and leaves the old store (MIG-20)")
    func cancellationEndsIt() throws {
        let mapping = NSMappingModel(
            NSEntityMapping("A", "A", policy: "WatchingPolicy", attributes: ["n": "$source.n"]))
        for own in [nil, CocoaError(.userCancelled)] as [CocoaError?] {
            let stores = try stores(count: 1_500)
            let manager = stores.manager()
            let watch = WatchingPolicy.Watch()
            watch.cancelsAfter = 1_200
            watch.error = own
            manager.userInfo = ["watch": watch]
            let error = try stores.failure(mapping, manager)
            #expect(error.code == own?.errorCode ?? NSMigrationCancelledError)
            #expect(watch.count == 1_200 && manager.migrationProgress < 1)
            // The next migration of the manager is not cancelled.
            watch.cancelsAfter = .max
            try stores.migrate(mapping, manager)
            #expect(try stores.read { try MappedStores.all("A", $0).count } == 1_500)
        }
    }

    @Test("an object that a policy keeps from batch to batch can be used until the end (MIG-19)")
    func keptObjectStaysUsable() throws {
        let stores = try stores(count: 1_100)
        let manager = stores.manager()
        let watch = WatchingPolicy.Watch()
        manager.userInfo = ["watch": watch]
        try stores.migrate(
            NSMappingModel(
                NSEntityMapping("A", "A", name: "First", policy: "WatchingPolicy", attributes: ["n": "$source.n"]),
                NSEntityMapping(
                    "A", "A", name: "Second", policy: "KeptObjectPolicy", attributes: ["n": "$source.n + 5000"])),
            manager)
        let first = try stores.read {
            try MappedStores.all("A", $0).filter { $0.value(forKey: "s") as? String == "1099" }
        }
        #expect(first.count == 1)
    }

    @Test(
        "what cannot be used is refused before anything is written, naming entity and property (MIG-11)",
        arguments: [
            (
                ["x": "$source.n"], [:],
                "'x' of entity 'A' in the mapping 'AToA': the destination entity has no such attribute"
            ),
            (["n": "$source.m"], [:], "'$source.m' leads nowhere: 'A' has no 'm' on the way"),
            (["n": "$source.others.k"], [:], "'$source.others.k' leads nowhere"),
            (["n": "$destination.q"], [:], "'$destination.q' leads nowhere"),
            (["n": "q"], [:], "'$source.q' leads nowhere"),
            (["n": "$soruce.n"], [:], "unknown variable $soruce"),
            (["n": "FUNCTION($entityPolicy, \"yearOf:\", $source.n)"], [:], "the policy has no function 'yearOf:'"),
            (["n": "FUNCTION($manager, \"reset\")"], [:], "unknown function 'reset'"),
            ([:], ["n": "$source.others"], "the destination entity has no such relationship"),
            (["others": "$source.others"], [:], "the destination entity has no such attribute"),
        ] as [([String: String], [String: String], String)])
    func unusablePropertiesAreRefused(
        attributes: [String: String], relationships: [String: String], reason: String
    ) throws {
        let stores = try stores()
        let mapping = NSEntityMapping("A", "A")
        let properties = { (texts: [String: String]) in
            texts.map { name, format in
                let property = NSPropertyMapping()
                property.name = name
                property.valueExpression = NSExpression(format: format)
                return property
            }
        }
        mapping.attributeMappings = properties(attributes)
        mapping.relationshipMappings = properties(relationships)
        let error = try stores.failure(NSMappingModel(mapping))
        #expect(error.code == NSMigrationError && error.localizedDescription.contains(reason), "\(error)")
        #expect(error.userInfo["mapping"] as? String == "AToA" && error.userInfo["entity"] as? String == "A")
        #expect(error.userInfo["property"] as? String == attributes.keys.first ?? relationships.keys.first)
    }

    @Test("mappings without names, of unknown entities, other versions and unknown policies are refused (MIG-11)")
    func unusableMappingsAreRefused() throws {
        let stores = try stores()
        func reason(_ mappings: NSEntityMapping...) throws -> String {
            let model = NSMappingModel()
            model.entityMappings = mappings
            let error = try stores.failure(model)
            #expect(error.code == NSMigrationError)
            return error.localizedDescription + (error.localizedRecoverySuggestion ?? "")
        }
        #expect(try reason(NSEntityMapping("A", "A"), NSEntityMapping("A", "A")).contains("each its own"))
        let unknown = try reason(NSEntityMapping("Aa", "A"))
        #expect(unknown.contains("entity 'Aa' in the mapping 'AaToA': the source model has no such entity"))
        #expect(try reason(NSEntityMapping("A", "B")).contains("the destination model has no such entity"))
        let other = NSEntityMapping("A", "A")
        other.sourceEntityVersionHash = Data(repeating: 3, count: 32)
        #expect(try reason(other).contains("entity 'A' in the mapping 'AToA': it is for another version of the entity"))
        let policy = try reason(NSEntityMapping("A", "A", policy: "NobodysPolicy"))
        #expect(policy.contains("'NobodysPolicy' is not in the program") && policy.contains("register(module:)"))
        #expect(
            try reason(NSEntityMapping("A", "A", policy: "CallLog")).contains("no subclass of NSEntityMigrationPolicy"))
        let twice = NSEntityMapping("A", "A", attributes: ["n": "$source.n", "s": "$source.s"])
        twice.attributeMappings?[1].name = "n"
        #expect(try reason(twice).contains("it is mapped twice"))
        #expect(try stores.failure(nil).code == NSMigrationMissingMappingModelError)
    }

    @Test("source and destination that cannot be used have errors of their own (MIG-17)")
    func unusableStoresAreRefused() throws {
        let stores = try stores()
        let mapping = NSMappingModel(NSEntityMapping("A", "A"))
        func failure(
            from: URL, to: URL, type: NSPersistentStore.StoreType = .sqlite, model: NSManagedObjectModel? = nil
        ) -> NSError? {
            #expect(throws: NSError.self) {
                try NSMigrationManager(sourceModel: model ?? stores.old, destinationModel: stores.new).migrateStore(
                    from: from, type: .sqlite, mapping: mapping, to: to, type: type)
            }
        }
        let missing = stores.folder.appendingPathComponent("Missing.sqlite")
        #expect(failure(from: missing, to: stores.destination)?.code == NSMigrationManagerSourceStoreError)
        #expect(!FileManager.default.fileExists(atPath: missing.path))
        let nonsense = stores.folder.appendingPathComponent("Nonsense.sqlite")
        try Data("nonsense".utf8).write(to: nonsense)
        #expect(failure(from: nonsense, to: stores.destination)?.code == NSMigrationManagerSourceStoreError)
        #expect(
            failure(from: stores.source, to: stores.destination, model: stores.new)?.code
                == NSMigrationMissingSourceModelError)
        #expect(failure(from: stores.source, to: stores.source)?.code == NSMigrationManagerDestinationStoreError)
        #expect(failure(from: stores.source, to: nonsense)?.code == NSMigrationManagerDestinationStoreError)
        #expect(try Data(contentsOf: nonsense) == Data("nonsense".utf8))
        let elsewhere = stores.folder.appendingPathComponent("no/such/folder/New.sqlite")
        #expect(failure(from: stores.source, to: elsewhere)?.code == NSMigrationManagerDestinationStoreError)
        #expect(
            failure(from: stores.source, to: stores.destination, type: .init(rawValue: "Tape"))?.code
                == NSMigrationManagerDestinationStoreError)
        let names = try FileManager.default.contentsOfDirectory(atPath: stores.folder.path)
        #expect(!names.contains { $0.hasSuffix(".migrating") || $0.hasPrefix("New") })
    }

    @Test("a rule that migrated objects break is an error that names entity, property and code (MIG-17)")
    func brokenRuleIsNamed() throws {
        let stores = try stores(
            Self.old.replacingOccurrences(
                of: "</entity>", with: "<attribute name=\"must\" attributeType=\"String\"/></entity>"))
        let error = try stores.failure(
            NSMappingModel(NSEntityMapping("A", "A", attributes: ["n": "$source.n", "must": nil])))
        #expect(error.code == NSMigrationError && error.userInfo["entity"] as? String == "A")
        #expect(error.userInfo["property"] as? String == "must")
        #expect(error.localizedDescription.contains("code \(NSValidationMissingMandatoryPropertyError)"))
        let beneath = error.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(beneath?.code == NSValidationMissingMandatoryPropertyError)
    }

    @Test("values that must be unique are error 134111 (MIG-17)")
    func duplicatesAreRefused() throws {
        let unique =
            "<uniquenessConstraints><uniquenessConstraint><constraint value=\"s\"/></uniquenessConstraint></uniquenessConstraints></entity>"
        let stores = try stores(Self.old.replacingOccurrences(of: "</entity>", with: unique), count: 2)
        let error = try stores.failure(
            NSMappingModel(NSEntityMapping("A", "A", attributes: ["n": "$source.n", "s": "$source.s"])))
        #expect(error.code == NSMigrationConstraintViolationError && error.userInfo["entity"] as? String == "A")
        #expect((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == NSManagedObjectConstraintMergeError)
    }

    @Test(
        "an expression that fails, and a value that does not fit, name mapping, entity and property (MIG-12)",
        arguments: [("n", "$source.s + 1"), ("n", "$source.s"), ("m", "$source.n"), ("n", "$source.n + 4000000000")])
    func failingExpressionsAreNamed(property: String, format: String) throws {
        let stores = try stores()
        let error = try stores.failure(
            NSMappingModel(NSEntityMapping("A", "A", attributes: [property: format] as KeyValuePairs)))
        #expect(error.code == NSMigrationError && error.userInfo["property"] as? String == property)
        #expect(error.userInfo["mapping"] as? String == "AToA" && error.userInfo["entity"] as? String == "A")
    }
}

/// Writes to an object that another policy kept.
final class KeptObjectPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        let kept = (manager.userInfo?["watch"] as? WatchingPolicy.Watch)?.first
        #expect(kept?.value(forKey: "n") as? Int == 0)
        kept?.setValue("\(sInstance.value(forKey: "n") ?? "")", forKey: "s")
    }
}
