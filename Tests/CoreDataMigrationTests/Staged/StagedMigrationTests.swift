import CoreData
import StoreContract
import TestBasics
import Testing

/// Stages, and the paths over versions.
@Suite struct StagedMigrationTests {
    /// Versions of one model: 1 has a full name, 2 two optional parts beside it, 3 the parts alone, required.
    private static func version(_ number: Int) -> NSManagedObjectModel {
        MigrationScene.model { temporary in
            var attributes: KeyValuePairs<String, NSAttributeType> = ["fullName": .stringAttributeType]
            if number == 2 {
                attributes = [
                    "fullName": .stringAttributeType, "first": .stringAttributeType, "last": .stringAttributeType,
                ]
            }
            if number >= 3 { attributes = ["first": .stringAttributeType, "last": .stringAttributeType] }
            temporary.entity("Person", attributes)
            if number >= 3 { temporary.attribute("Person.first").isOptional = false }
            if number >= 4 { temporary.entity("Town", ["name": .stringAttributeType]) }
        }
    }

    private static func reference(_ number: Int) -> NSManagedObjectModelReference {
        let model = version(number)
        return NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
    }

    /// Splits the names after the parts have come and before they are required.
    private static func manager(
        _ log: Log = Log(), failing: Bool = false
    ) -> NSStagedMigrationManager {
        let split = NSCustomMigrationStage(migratingFrom: reference(2), to: reference(3))
        split.label = "split names"
        split.willMigrateHandler = { manager, _ in
            log.lines.append("will")
            if failing { throw CocoaError(.fileNoSuchFile) }
            let context = try #require(manager.container?.newBackgroundContext())
            try context.performAndWait {
                for person in try context.all("Person") {
                    let parts = (person.value(forKey: "fullName") as? String ?? "").split(separator: " ")
                    person.setValue(parts.first.map(String.init), forKey: "first")
                    person.setValue(parts.last.map(String.init), forKey: "last")
                }
                try context.save()
            }
        }
        split.didMigrateHandler = { manager, stage in
            log.lines.append("did")
            let model = try #require(manager.container?.managedObjectModel)
            #expect(model.versionChecksum == stage.nextModel.versionChecksum)
        }
        return NSStagedMigrationManager([
            NSLightweightMigrationStage([version(1).versionChecksum, version(2).versionChecksum]), split,
            NSLightweightMigrationStage([version(4).versionChecksum]),
        ])
    }

    private final class Log: @unchecked Sendable {
        var lines: [String] = []
    }

    private static func options(_ manager: NSStagedMigrationManager) -> [AnyHashable: Any] {
        MigrationScene.automatic.merging([NSPersistentStoreStagedMigrationManagerOptionKey: manager]) { $1 }
    }

    /// A store of version 2, whose own model the first stage does not need: versions in code are in no bundle.
    private static func scene() throws -> MigrationScene {
        try MigrationScene(version(2)) { context in
            for name in ["Ada Lovelace", "Alan Turing"] { context.insert("Person", ["fullName": name]) }
        }
    }

    @Test("stages run in their order, handlers see the store before and after, and the last step is inferred (MIG-15)")
    func stagesInOrder() throws {
        let (scene, log) = (try Self.scene(), Log())
        try scene.with(Self.version(4), options: Self.options(Self.manager(log))) { context in
            let people = try context.all("Person", sortedBy: "last")
            #expect(people.map { $0.value(forKey: "first") as? String } == ["Ada", "Alan"])
            #expect(people.map { $0.value(forKey: "last") as? String } == ["Lovelace", "Turing"])
            #expect(try context.all("Town").isEmpty)
        }
        #expect(log.lines == ["will", "did"])
    }

    @Test("a store of a version that is not known by a stage goes by inference alone (MIG-15)")
    func unknownToStages() throws {
        let scene = try MigrationScene(Self.version(4)) { $0.insert("Person", ["first": "A"]) }
        let newer = MigrationScene.model { temporary in
            temporary.entity(
                "Person", ["first": .stringAttributeType, "last": .stringAttributeType, "age": .integer16AttributeType])
            temporary.attribute("Person.first").isOptional = false
            temporary.entity("Town", ["name": .stringAttributeType])
        }
        let manager = NSStagedMigrationManager([NSLightweightMigrationStage(["other"])])
        #expect(try scene.with(newer, options: Self.options(manager)) { try $0.all("Person").count } == 1)
    }

    @Test("a stage whose handler leaves required values out is undone, naming entity and attribute (MIG-07)")
    func requiredValuesLeftOut() throws {
        let scene = try Self.scene()
        let stage = NSCustomMigrationStage(migratingFrom: Self.reference(2), to: Self.reference(3))
        let options = Self.options(NSStagedMigrationManager([stage]))
        let error = expectError(134110) { try scene.with(Self.version(4), options: options) { _ in } }
        #expect(error?.localizedDescription.contains("2 objects of Person have no first") == true)
        #expect(try scene.with(Self.version(2), options: [:]) { try $0.all("Person").count } == 2)
    }

    @Test("a store that is newer than the model raises 134506 and is not touched (MIG-16)")
    func storeThatIsNewerThanModelRaises134506AndIsNotTouched() throws {
        let scene = try MigrationScene(Self.version(4)) { $0.insert("Person", ["first": "A"]) }
        let before = scene.bytes
        expectError(134506) { try scene.with(Self.version(2), options: Self.options(Self.manager())) { _ in } }
        #expect(scene.bytes == before)
    }

    @Test("a handler that throws leaves the store in the version that it found, and the next start goes on (MIG-17)")
    func throwingHandler() throws {
        let (scene, log) = (try Self.scene(), Log())
        let error = expectError(134110) {
            try scene.with(Self.version(4), options: Self.options(Self.manager(log, failing: true))) { _ in }
        }
        #expect(error?.localizedDescription.contains("split names") == true)
        #expect((error?.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == CocoaError.fileNoSuchFile.rawValue)
        #expect(try scene.with(Self.version(2), options: [:]) { try $0.all("Person").count } == 2)
        #expect(
            try scene.with(Self.version(4), options: Self.options(Self.manager())) { try $0.all("Person").count } == 2)
    }

    @Test("a reference without its model is 134504, one to another version too (MIG-15)")
    func missingReferences() throws {
        let scene = try Self.scene()
        let before = scene.bytes
        let model = Self.version(3)
        let wrong = NSManagedObjectModelReference(model: model, versionChecksum: "nothing")
        let missing = NSManagedObjectModelReference(name: "Nowhere", in: nil, versionChecksum: model.versionChecksum)
        let file = URL(fileURLWithPath: "/nonexistent/Model.momd")
        let noFile = NSManagedObjectModelReference(fileURL: file, versionChecksum: model.versionChecksum)
        let hashes = NSManagedObjectModelReference(
            entityVersionHashes: ["Person": Data(count: 32)], in: nil, versionChecksum: model.versionChecksum)
        for reference in [wrong, missing, noFile, hashes] {
            let stage = NSCustomMigrationStage(migratingFrom: Self.reference(2), to: reference)
            let manager = NSStagedMigrationManager([stage])
            expectError(134504) { try scene.with(Self.version(4), options: Self.options(manager)) { _ in } }
        }
        #expect(scene.bytes == before)
    }

    @Test("references find their model by file, in a package by its checksum (MIG-15)")
    func referencesResolve() throws {
        let folder = try TemporaryFolder()
        let models = [2, 3].map(Self.version)
        for (number, model) in models.enumerated() {
            let url = folder.url.appendingPathComponent("Version \(number).mom")
            try model.compiledData().write(to: url)
        }
        let plist = try PropertyListSerialization.data(
            fromPropertyList: ["NSManagedObjectModel_CurrentVersionName": "Version 1"], format: .binary, options: 0)
        try plist.write(to: folder.url.appendingPathComponent("VersionInfo.plist"))
        for model in models {
            let reference = NSManagedObjectModelReference(fileURL: folder.url, versionChecksum: model.versionChecksum)
            #expect(reference.resolvedModel.versionChecksum == model.versionChecksum)
        }
    }
}
