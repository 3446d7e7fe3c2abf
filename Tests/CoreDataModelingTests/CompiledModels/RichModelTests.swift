import CoreDataModeling
import Testing

@Suite struct RichModelTests {
    private let rich = RichModel()

    enum Form: CaseIterable { case compiled, kept }

    private func again(_ form: Form) throws -> NSManagedObjectModel {
        switch form {
        case .compiled: try NSManagedObjectModel(compiled: rich.model.compiledData())
        case .kept: try NSManagedObjectModel(cachedModel: rich.model.cachedModel())
        }
    }

    @Test(
        "a model made in code is the same after writing and reading (MOD-02, MOD-31, MOD-33, MOD-37)",
        arguments: Form.allCases)
    func everythingIsKept(form: Form) throws {
        let model = try again(form)
        #expect(ModelText.lines(model) == ModelText.lines(rich.model))
        #expect(model.entityVersionHashesByName == rich.model.entityVersionHashesByName)
        #expect(model.versionChecksum == rich.model.versionChecksum)
        let place = try #require(model.entitiesByName["Place"])
        for (name, attribute) in rich.place.attributesByName {
            let read = try #require(place.attributesByName[name])
            #expect(read.defaultValue as? NSObject == attribute.defaultValue as? NSObject, "\(name)")
            #expect(read.validationRules == attribute.validationRules, "\(name)")
            #expect(read.validationPredicates == attribute.validationPredicates, "\(name)")
            #expect(read.allowsCloudEncryption == attribute.allowsCloudEncryption, "\(name)")
            #expect(read.isIndexedBySpotlight == attribute.isIndexedBySpotlight, "\(name)")
            #expect(read.isStoredInExternalRecord == attribute.isStoredInExternalRecord, "\(name)")
        }
    }

    @Test("groups of attributes, nested user info and partial indexes are kept (MOD-02)", arguments: Form.allCases)
    func structuredPartsAreKept(form: Form) throws {
        let place = try #require(try again(form).entitiesByName["Place"])
        let composite = place.attributesByName["position"] as? NSCompositeAttributeDescription
        #expect(composite?.elements.map(\.name) == ["latitude", "longitude"])
        #expect(composite?.elements.map { $0.defaultValue as? Double } == [1.5, 1.5])
        let nested = place.userInfo?["nested"] as? [AnyHashable: Any]
        #expect(nested?["list"] as? [String] == ["a", "b"])
        #expect(nested?["flag"] as? Bool == true)
        #expect(place.indexes.map(\.name) == ["byName", "byArea"])
        #expect(
            place.indexes.map { $0.partialIndexPredicate?.formatString } == [
                rich.place.indexes[0].partialIndexPredicate?.formatString, nil,
            ])
        #expect(place.indexes[1].elements.map(\.collationType) == [.rTree, .rTree])
        #expect(place.indexes[0].elements.map(\.isAscending) == [true, false])
    }

    @Test("equal models give equal bytes (MOD-34)")
    func equalModelsGiveEqualBytes() throws {
        let copy = try #require(rich.model.copy() as? NSManagedObjectModel)
        #expect(try copy.compiledData() == rich.model.compiledData())
        #expect(try copy.cachedModel() == rich.model.cachedModel())
        #expect(try RichModel().model.compiledData() == rich.model.compiledData())
    }

    @Test("what an archive cannot hold is refused by the name of its place (MOD-02)")
    func unwritablePartsAreRefused() throws {
        let name = try #require(rich.place.attributesByName["name"])
        name.setValidationPredicates([NSPredicate { _, _ in true }], withValidationWarnings: nil)
        #expect(throws: ModelingError.self) { try rich.model.compiledData() }
        name.setValidationPredicates(nil, withValidationWarnings: nil)
        name.defaultValue = NSObject()
        let error = #expect(throws: ModelingError.self) { try rich.model.compiledData() }
        #expect(error?.cause.contains("Place.name") == true)
        name.defaultValue = nil
        rich.model.templatesByName["all"]?.hasUnreadablePredicate = true
        #expect(throws: ModelingError.self) { try rich.model.compiledData() }
        rich.model.templatesByName["all"] = nil
        _ = try rich.model.compiledData()
    }

    @Test(
        "a chain of thousands of entities that point at each other is written and read (HAZ-46)",
        .timeLimit(.minutes(20))
    )
    func longChainsAreWritten() throws {
        let model = NSManagedObjectModel()
        let entities = (0..<2_000).map { index in
            let entity = NSEntityDescription()
            entity.name = "E\(index)"
            return entity
        }
        for (entity, next) in zip(entities, entities.dropFirst()) {
            let relationship = NSRelationshipDescription()
            relationship.name = "next"
            relationship.destinationEntity = next
            entity.properties = [relationship]
        }
        model.entities = entities
        let again = try NSManagedObjectModel(compiled: model.compiledData())
        #expect(again.entities.count == 2_000)
        #expect(again.entitiesByName["E0"]?.relationshipsByName["next"]?.destinationEntity?.name == "E1")
    }
}
