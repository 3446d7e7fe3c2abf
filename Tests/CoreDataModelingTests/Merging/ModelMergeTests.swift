import CoreDataModeling
import TestBasics
import Testing

@Suite struct ModelMergeTests {
    private let event = #"<entity name="Event"><attribute name="day" attributeType="Date"/></entity>"#

    @Test("models with disjoint entities give the union, linked within itself (MOD-05)")
    func disjointModelsGiveTheUnion() throws {
        let model = try #require(NSManagedObjectModel(byMerging: [PeopleModel().model, try SourceText.read(event)]))
        #expect(Set(model.entitiesByName.keys) == ["Person", "Hero", "Sidekick", "Power", "Event"])
        let powers = try #require(model.entitiesByName["Hero"]?.relationshipsByName["powers"])
        #expect(powers.destinationEntity === model.entitiesByName["Power"])
        #expect(powers.inverseRelationship === model.entitiesByName["Power"]?.relationshipsByName["owner"])
        #expect(model.entitiesByName["Sidekick"]?.superentity === model.entitiesByName["Hero"])
        #expect(NSManagedObjectModel(byMerging: nil) == nil)
    }

    @Test("equal definitions merge silently (MOD-06)")
    func equalDefinitionsMerge() throws {
        let model = try NSManagedObjectModel(merging: [try SourceText.read(event), try SourceText.read(event)])
        #expect(model.entities.map(\.name) == ["Event"])
    }

    @Test("unequal definitions are an error that names the entity (MOD-06)")
    func unequalDefinitionsAreAnError() async throws {
        let other = event.replacingOccurrences(of: "Date", with: "String")
        let error = #expect(throws: NSError.self) {
            try NSManagedObjectModel(merging: [try SourceText.read(event), try SourceText.read(other)])
        }
        #expect(
            error?.localizedFailureReason?.contains("Can't merge models with two different entities named 'Event'")
                == true)
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let first = try SourceText.read(#"<entity name="Event" isAbstract="YES"/>"#)
            _ = NSManagedObjectModel(byMerging: [first, try SourceText.read(#"<entity name="Event"/>"#)])
        }
        #expect(result.standardErrorText.contains("Can't merge models with two different entities named 'Event'"))
    }

    @Test func storeMetadataChoosesAmongModels() throws {
        let old = try SourceText.read(event)
        let new = try SourceText.read(event.replacingOccurrences(of: "Date", with: "String"))
        let people = PeopleModel().model
        func metadata(_ models: [NSManagedObjectModel]) -> [String: Any] {
            ["NSStoreModelVersionHashes": models.reduce(into: [:]) { $0.merge($1.entityVersionHashesByName) { $1 } }]
        }
        let found = NSManagedObjectModel(byMerging: [new, people, old], forStoreMetadata: metadata([old]))
        #expect(found?.entitiesByName["Event"]?.attributesByName["day"]?.type == .date)
        let both = NSManagedObjectModel(byMerging: [new, people, old], forStoreMetadata: metadata([old, people]))
        #expect(both?.entities.count == 5)
        #expect(NSManagedObjectModel(byMerging: [new], forStoreMetadata: metadata([old])) == nil)
        #expect(NSManagedObjectModel(byMerging: [new], forStoreMetadata: [:]) == nil)
    }

    @Test("configurations, templates and translations are merged with their entities (MOD-05, MOD-32)")
    func everythingIsMerged() throws {
        let people = PeopleModel()
        let day = try SourceText.read(event)
        people.model.setEntities([people.hero], forConfigurationName: "Cloud")
        day.setEntities(day.entities, forConfigurationName: "Cloud")
        people.model.localizationDictionary = ["Entity/Hero": "Held", "Property/name": "Name"]
        day.localizationDictionary = ["Entity/Event": "Ereignis"]
        people.model.templatesByName["all"] = FetchRequestTemplate(entityName: "Hero")
        day.templatesByName["days"] = FetchRequestTemplate(entityName: "Event")
        people.model.versionIdentifiers = ["1"]
        day.versionIdentifiers = ["2"]
        let model = try NSManagedObjectModel(merging: [people.model, day])
        #expect(model.entities(forConfigurationName: "Cloud")?.map(\.name) == ["Hero", "Event"])
        #expect(model.localizationDictionary?.count == 3)
        #expect(Set(model.templatesByName.keys) == ["all", "days"])
        #expect(model.versionIdentifiers == ["1", "2"])
        #expect(model.entitiesByName["Hero"] == people.hero)
    }

    @Test(
        "what is stored alike and used differently does not merge silently (MOD-06)",
        arguments: [
            #"<entity name="Event" representedClassName="Day"><attribute name="day" attributeType="Date"/></entity>"#,
            #"<entity name="Event" elementID="Day"><attribute name="day" attributeType="Date"/></entity>"#,
            #"<entity name="Event"><attribute name="day" attributeType="Date" defaultDateTimeInterval="0"/></entity>"#,
            #"<entity name="Event"><attribute name="day" attributeType="Date" minDateTimeInterval="0"/></entity>"#,
        ])
    func differentUseIsAConflict(other: String) throws {
        expectError(134060) {
            try NSManagedObjectModel(merging: [try SourceText.read(event), try SourceText.read(other)])
        }
    }

    /// A bundle with a compiled model for each body, by the names of the files.
    private func bundle(_ bodies: [String: String], in folder: TemporaryFolder) throws -> Bundle {
        for (name, body) in bodies {
            let model = try SourceText.read(body)
            let url = folder.url.appendingPathComponent(name)
            if name.hasSuffix(".momd") {
                try CompiledModelPackage(versions: ["Current": model], currentVersion: "Current").write(to: url)
            } else {
                try model.compiledData().write(to: url)
            }
        }
        return try #require(Bundle(path: folder.url.path))
    }

    @Test("every model of a bundle is merged, and a store's metadata chooses among all versions (MOD-05)")
    func modelsOfABundleAreMerged() throws {
        let folder = try TemporaryFolder()
        let bundle = try bundle(["A.momd": event, "B.mom": #"<entity name="Place"/>"#], in: folder)
        let model = try #require(NSManagedObjectModel.mergedModel(from: [bundle]))
        #expect(Set(model.entitiesByName.keys) == ["Event", "Place"])
        let metadata = ["NSStoreModelVersionHashes": try SourceText.read(event).entityVersionHashesByName]
        let found = NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata)
        #expect(found?.entities.map(\.name) == ["Event"])
        #expect(NSManagedObjectModel.mergedModel(from: [], forStoreMetadata: metadata) == nil)
        #expect(NSManagedObjectModel.mergedModel(from: []) == nil)
    }

    @Test("a stale .mom beside a .momd is reported, and the .momd is read by its URL (MOD-06)")
    func staleModelIsReported() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let tests = ModelMergeTests()
            let folder = try TemporaryFolder()
            let bundle = try tests.bundle(["A.momd": tests.event, "A.mom": #"<entity name="Event"/>"#], in: folder)
            let url = folder.url.appendingPathComponent("A.momd")
            guard NSManagedObjectModel(contentsOf: url)?.entities.count == 1 else { return }
            _ = NSManagedObjectModel.mergedModel(from: [bundle])
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("A.mom' lies beside 'A.momd' and may be stale"))
        #expect(text.contains("Can't merge models with two different entities named 'Event'"))
    }
}
