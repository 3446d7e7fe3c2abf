import TestBasics
import Testing

@testable import CoreDataModeling

/// Mapping models as archives.
@Suite struct CompiledMappingTests {
    /// A model with every kind of content.
    static func rich() throws -> NSMappingModel {
        let mapping = NSEntityMapping()
        mapping.name = "HeroToChampion"
        mapping.mappingType = .customEntityMappingType
        mapping.sourceEntityName = "Hero"
        mapping.destinationEntityName = "Champion"
        mapping.sourceEntityVersionHash = Data(repeating: 1, count: 32)
        mapping.destinationEntityVersionHash = Data(repeating: 2, count: 32)
        mapping.entityMigrationPolicyClassName = "App.HeroPolicy"
        mapping.userInfo = ["version": 2]
        mapping.sourceExpression = MappingExpressions.objects(ofEntity: "Hero", where: "age > 3")
        let name = NSPropertyMapping(
            name: "name",
            valueExpression: try NSExpression(
                parsing: "FUNCTION($entityPolicy, \"nameOf:in:\", $source.name, uppercase($entityMapping.name))"))
        name.userInfo = ["note": "two"]
        mapping.attributeMappings = [name, NSPropertyMapping(name: "rank", valueExpression: nil)]
        mapping.relationshipMappings = [
            NSPropertyMapping(
                name: "powers", valueExpression: MappingExpressions.destinations(ofRelationship: "powers"))
        ]
        let gone = NSEntityMapping()
        gone.name = "Villain"
        gone.mappingType = .removeEntityMappingType
        gone.sourceEntityName = "Villain"
        let model = NSMappingModel()
        model.entityMappings = [mapping, gone]
        return model
    }

    @Test("a mapping model made in code is written and read again, with all that it says (MIG-11)")
    func archiveKeepsEverything() throws {
        let model = try Self.rich()
        let data = try model.compiledData()
        let again = try NSMappingModel(compiled: data)
        #expect(again.description == model.description)
        let mapping = try #require(again.entityMappingsByName["HeroToChampion"])
        #expect(mapping.mappingType == .customEntityMappingType && mapping.userInfo?["version"] as? Int == 2)
        #expect(mapping.sourceEntityVersionHash == Data(repeating: 1, count: 32))
        #expect(mapping.destinationEntityVersionHash == Data(repeating: 2, count: 32))
        #expect(mapping.sourceExpression == model.entityMappings[0].sourceExpression)
        #expect(mapping.sourceExpression is NSFetchRequestExpression)
        #expect(mapping.attributeMappings?[0].userInfo?["note"] as? String == "two")
        #expect(mapping.attributeMappings?[0].valueExpression?.function == "nameOf:in:")
        #expect(mapping.attributeMappings?[1].valueExpression == nil)
        #expect(again.entityMappings[1].attributeMappings == nil && again.entityMappings[1].sourceExpression == nil)
        #expect(try again.compiledData() == data)
    }

    @Test(
        "the mapping model that Apple's compiler wrote is read and written with the same content (MIG-11)",
        .enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
    func applesArchiveIsRead() throws {
        let url = Fixtures.url("stores/coredataplus/Tests/Resources/SampleModel/Fixtures/V2toV3.cdm")
        let model = try NSMappingModel(reading: url)
        #expect(model.entityMappings.count == 5)
        let car = try #require(model.entityMappingsByName["CarToCar"])
        #expect(car.attributeMappings?.compactMap(\.name) == ["markedForDeletionAsOf", "model", "numberPlate"])
        #expect(
            car.sourceExpression?.formatString
                == "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"Car\", "
                + "\"TRUEPREDICATE\"), $manager.sourceContext, NO)")
        #expect(car.relationshipMappings?.first { $0.name == "createdBy" }?.valueExpression == nil)
        let again = try NSMappingModel(compiled: model.compiledData())
        #expect(again.description == model.description)
        #expect(again.entityMappings.map(\.sourceExpression) == model.entityMappings.map(\.sourceExpression))
    }

    @Test("an expression in Swift code is not written, and the error says whose it is (MIG-11)")
    func blockIsRefused() throws {
        let model = try Self.rich()
        model.entityMappings[0].attributeMappings?[1].valueExpression = NSExpression(
            block: { _, _, _ in nil }, arguments: nil)
        let error = #expect(throws: ModelingError.self) { try model.compiledData() }
        #expect(error?.cause.contains("'rank' in the mapping 'HeroToChampion'") == true)
    }

    @Test("the classes of a mapping model have Apple's names and types (MIG-11)")
    func publicNames() {
        let (model, entity, property) = (NSMappingModel(), NSEntityMapping(), NSPropertyMapping())
        property.name = "name"
        property.valueExpression = NSExpression(forConstantValue: 1)
        property.userInfo = ["a": 1]
        entity.name = "A"
        entity.attributeMappings = [property]
        entity.relationshipMappings = []
        let mappings: [NSEntityMapping]! = [entity]
        model.entityMappings = mappings
        let named: [String: NSEntityMapping] = model.entityMappingsByName
        #expect(named["A"] === entity && entity.mappingType == .undefinedEntityMappingType)
        #expect(NSEntityMappingType.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
        #expect(NSMappingModel(contentsOf: nil) == nil)
        #expect(entity.value(forKey: "name") as? String == "A" && property.value(forKey: "name") as? String == "name")
        #expect(throws: UnknownKeyError.self) { try entity.codedValue(forKey: "nam") }
        #expect(throws: UnknownKeyError.self) { try property.codedValue(forKey: "nam") }
    }
}
