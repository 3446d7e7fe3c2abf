import CoreDataModeling
import Testing

/// Mapping models that follow from two models.
@Suite struct InferredMappingTests {
    private func model(_ entities: String) throws -> NSManagedObjectModel {
        try NSManagedObjectModel(source: Data("<model>\(entities)</model>".utf8))
    }

    private let hero = """
        <entity name="Hero"><attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="powers" optional="YES" toMany="YES" destinationEntity="Power" inverseName="owner"/></entity>
        <entity name="Power"><relationship name="owner" optional="YES" maxCount="1" destinationEntity="Hero"
        inverseName="powers"/></entity>
        """

    @Test("what is the same is copied, what differs transformed, and the rest added or removed (MIG-02)")
    func mappingsHaveApplesNames() throws {
        let old = try model(hero + #"<entity name="Villain"/><entity name="Same"/>"#)
        let new = try model(
            hero.replacingOccurrences(of: "name=\"name\"", with: "name=\"title\" elementID=\"name\"")
                + #"<entity name="Town"><attribute name="size" optional="YES" attributeType="Integer 16"/></entity>"#
                + #"<entity name="Same"/>"#)
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        #expect(
            mapping.entityMappings.compactMap(\.name) == [
                "IEM_Transform_Hero", "IEM_Copy_Power", "IEM_Copy_Same", "IEM_Add_Town", "IEM_Remove_Villain",
            ])
        #expect(
            mapping.entityMappings.map(\.mappingType) == [
                .transformEntityMappingType, .copyEntityMappingType, .copyEntityMappingType, .addEntityMappingType,
                .removeEntityMappingType,
            ])
        let same = try #require(mapping.entityMappingsByName["IEM_Transform_Hero"])
        #expect(same.attributeMappings?.map(\.description) == ["title = $source.name"])
        #expect(
            same.relationshipMappings?.map(\.description) == [
                "powers = FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", "
                    + "\"powers\", $source.powers)"
            ])
        #expect(same.sourceEntityVersionHash == old.entityVersionHashesByName["Hero"])
        #expect(same.destinationEntityVersionHash == new.entityVersionHashesByName["Hero"])
        let town = mapping.entityMappingsByName["IEM_Add_Town"]
        #expect(town?.attributeMappings?.map(\.description) == ["size = –"] && town?.sourceExpression == nil)
        #expect(mapping.entityMappingsByName["IEM_Remove_Villain"]?.attributeMappings == nil)
    }

    @Test("what becomes required takes its default where it was nil (MIG-02, MIG-07)")
    func requiredAttributeHasItsDefault() throws {
        let old = try model(
            #"<entity name="A"><attribute name="n" optional="YES" attributeType="Integer 16"/></entity>"#)
        let new = try model(
            #"<entity name="A"><attribute name="n" attributeType="Integer 16" defaultValueString="7"/></entity>"#)
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        let value = try #require(mapping.entityMappings[0].attributeMappings?[0].valueExpression)
        #expect(value.formatString == "TERNARY($source.n == nil, 7, $source.n)")
        #expect(value.expressionValue(with: nil, context: ["source": ["n": 3]]) as? Int == 3)
        #expect(value.expressionValue(with: nil, context: ["source": [String: Int]()]) as? Int == 7)
    }

    @Test("what cannot be inferred is error 134190, which names every obstacle (MIG-02, MIG-10)")
    func obstaclesAreNamed() throws {
        let old = try model(hero)
        let new = try model(
            hero.replacingOccurrences(of: #"attributeType="String""#, with: #"attributeType="Date""#)
                .replacingOccurrences(of: "toMany=\"YES\"", with: "maxCount=\"1\""))
        let error = #expect(throws: NSError.self) {
            try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        }
        #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSInferredMappingModelError)
        let reason = error?.localizedFailureReason ?? ""
        #expect(reason.contains("attribute 'Hero.name': its type was String and is Date"))
        #expect(reason.contains("relationship 'Hero.powers': it was to-many and is to-one"))
        #expect(error?.userInfo["entity"] as? String == "Hero" && error?.userInfo["property"] as? String == "name")
    }
}
