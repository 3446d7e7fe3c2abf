import CoreDataModeling
import CoreDataTestSupport
import Testing

@Suite struct ModelMergeTests {
    private let event = #"<entity name="Event"><attribute name="day" attributeType="Date"/></entity>"#

    @Test("MOD-05: models with disjoint entities give the union, linked within itself")
    func disjointModelsGiveTheUnion() throws {
        let model = try #require(NSManagedObjectModel(byMerging: [PeopleModel().model, try SourceText.read(event)]))
        #expect(Set(model.entitiesByName.keys) == ["Person", "Hero", "Sidekick", "Power", "Event"])
        let powers = try #require(model.entitiesByName["Hero"]?.relationshipsByName["powers"])
        #expect(powers.destinationEntity === model.entitiesByName["Power"])
        #expect(powers.inverseRelationship === model.entitiesByName["Power"]?.relationshipsByName["owner"])
        #expect(model.entitiesByName["Sidekick"]?.superentity === model.entitiesByName["Hero"])
        #expect(NSManagedObjectModel(byMerging: nil) == nil)
    }

    @Test("MOD-06: equal definitions merge silently")
    func equalDefinitionsMerge() throws {
        let model = try NSManagedObjectModel(merging: [try SourceText.read(event), try SourceText.read(event)])
        #expect(model.entities.map(\.name) == ["Event"])
    }

    @Test("MOD-06: unequal definitions are an error that names the entity")
    func unequalDefinitionsAreAnError() async throws {
        let other = event.replacingOccurrences(of: "Date", with: "String")
        let error = #expect(throws: NSError.self) {
            try NSManagedObjectModel(merging: [try SourceText.read(event), try SourceText.read(other)])
        }
        #expect(
            error?.localizedFailureReason?.contains("Can't merge models with two different entities named 'Event'")
                == true)
        await #expect(processExitsWith: .failure) {
            let first = try SourceText.read(#"<entity name="Event" isAbstract="YES"/>"#)
            _ = NSManagedObjectModel(byMerging: [first, try SourceText.read(#"<entity name="Event"/>"#)])
        }
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
}
