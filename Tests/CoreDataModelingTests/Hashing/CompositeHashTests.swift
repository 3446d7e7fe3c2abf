import CoreDataModeling
import Testing

/// Hashes of entities with composite attributes, beside those in stores that Apple's framework wrote.
@Suite struct CompositeHashTests {
    private static func composites(_ elements: [(String, String)], name: String) -> String {
        let parts = elements.map { #"<attribute name="\#($0.0)" optional="YES" attributeType="\#($0.1)"/>"# }
        return #"<composite name="\#(name)">\#(parts.joined())</composite>"#
    }

    private static let ingredients =
        """
        <entity name="Ingredient"><attribute name="id" attributeType="UUID"/><attribute name="value" attributeType="Double"/>
            <attribute name="unit" attributeType="Composite" composite="Unit"/>
            <relationship name="ingredientBase" maxCount="1" destinationEntity="IngredientBase"/></entity>
        <entity name="IngredientBase"><attribute name="baseCategory" attributeType="String"/><attribute name="id" attributeType="UUID"/>
            <attribute name="info" optional="YES" attributeType="String"/><attribute name="isCustom" attributeType="Boolean"/>
            <attribute name="name" attributeType="String"/><attribute name="prep" optional="YES" attributeType="Composite" composite="Prep"/>
            <attribute name="specialtyCategory" attributeType="String"/>
            <attribute name="tags" optional="YES" attributeType="Composite" composite="Tags"/>
            <attribute name="umbrellaCategory" attributeType="String"/>
            <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint></uniquenessConstraints></entity>
        """
        + composites([("unit", "String")], name: "Unit")
        + composites([("id", "UUID"), ("prepIngredientName", "String"), ("prepRecipe", "Binary")], name: "Prep")
        + composites(["flavors", "profiles", "styles", "booze", "nA"].map { ($0, "Binary") }, name: "Tags")

    @Test("entities with composite attributes hash as in stores of Apple's framework (MOD-36)")
    func hashesAreThoseOfApplesStores() throws {
        let hashes = try SourceText.read(Self.ingredients).entityVersionHashesByName
        #expect(hashes["Ingredient"]?.base64EncodedString() == "SjufMt9CruGesYa2rQOtV8ls0/tFMmcaQGPaIALPxho=")
        #expect(hashes["IngredientBase"]?.base64EncodedString() == "oBdlOYmpobZCZ04XjyHQ+YMYDvaybcFnNgY1Nasi5hU=")
    }

    @Test("a composite counts by its elements alone, in whatever order they are declared (MOD-36)")
    func onlyElementsCount() throws {
        func hash(_ from: String, _ to: String) throws -> Data? {
            let body = Self.ingredients.replacingOccurrences(of: from, with: to)
            return try SourceText.read(body).entityVersionHashesByName["Ingredient"]
        }
        let unit = #"<attribute name="unit" attributeType="Composite""#
        let before = try hash("", "")
        // The name counts no more than whether it is optional; where it stands among the others does.
        #expect(try hash(unit, #"<attribute name="unit" optional="YES" attributeType="Composite""#) == before)
        #expect(try hash(unit, #"<attribute name="units" attributeType="Composite""#) == before)
        let element = #"<attribute name="unit" optional="YES" attributeType="String"/>"#
        #expect(try hash(element, element.replacingOccurrences(of: "String", with: "URI")) != before)
        #expect(try hash(element, element.replacingOccurrences(of: "unit", with: "measure")) != before)
        let model = try SourceText.read(Self.ingredients)
        #expect(model.entities.allSatisfy { !$0.hasAssumedHash })
    }

    @Test("a store of release 0.1.0 is of the same version, though its hashes follow another recipe (MOD-36)")
    func hashesOfTheFirstReleaseAgree() throws {
        let body =
            Self.ingredients
            + #"<entity name="Person"><relationship name="friends" optional="YES" toMany="YES" destinationEntity="Person" inverseName="friends"/></entity>"#
        let model = try SourceText.read(body)
        let former = [
            "Ingredient": "\(Self.formerIngredient)", "Person": "\(Self.formerPerson)",
        ].mapValues { Data(base64Encoded: $0) ?? Data() }
        let stored = model.entityVersionHashesByName.merging(former) { $1 }
        #expect(former.allSatisfy { model.entityVersionHashesByName[$0.key] != $0.value })
        let agreement = model.agreement(with: stored)
        #expect(agreement.differing.isEmpty && agreement.undecided.isEmpty)
        #expect(
            model.isConfiguration(withName: nil, compatibleWithStoreMetadata: ["NSStoreModelVersionHashes": stored]))
        let wrong = stored.merging(["Person": Data(count: 32)]) { $1 }
        #expect(model.agreement(with: wrong).differing.map(\.entity) == ["Person"])
    }

    // Written by release 0.1.0 for these entities.
    private static let formerIngredient = "W+My8QL2aMcCrao9Z8uLuSImI0rNUxujr56F1Qz9nJs="
    private static let formerPerson = "oJEfY6ZrNzB2aVHyo4GxXTr8U789VGN5ZCWmWFxvJfk="

    @Test("composites, nested ones too, are kept in compiled models under Apple's key (MOD-04)")
    func compositesAreKeptInArchives() throws {
        let model = try SourceText.read(
            """
            <entity name="A"><attribute name="place" optional="YES" attributeType="Composite" composite="Place"/></entity>
            <composite name="Place"><attribute name="label" optional="YES" attributeType="String"/>
                <attribute name="point" optional="YES" attributeType="Composite" composite="Point"/></composite>
            <composite name="Point"><attribute name="y" optional="YES" attributeType="Double"/>
                <attribute name="x" optional="YES" attributeType="Double"/></composite>
            """)
        let kept = try NSManagedObjectModel(cachedModel: model.cachedModel())
        let place = kept.entitiesByName["A"]?.attributesByName["place"] as? NSCompositeAttributeDescription
        #expect(place?.elements.map(\.name) == ["label", "point"])
        #expect((place?.elements.last as? NSCompositeAttributeDescription)?.elements.map(\.name) == ["y", "x"])
        #expect(kept.entityVersionHashesByName == model.entityVersionHashesByName)
        #expect(try model.compiledData().range(of: Data("NSCompositeElements".utf8)) != nil)
        #expect(try model.compiledData().range(of: Data("NSElements".utf8)) == nil)
    }
}
