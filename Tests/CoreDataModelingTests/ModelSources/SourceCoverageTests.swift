import CoreDataModeling
import TestBasics
import Testing

/// What becomes of every element and attribute of the sources on the way through a model.
@Suite struct SourceCoverageTests {
    /// What a model does not keep, and why that loses nothing of the model.
    private static let leftOut: [String: String] = [
        "elements": "the editor's layout", "element": "the editor's layout", "element.name": "the editor's layout",
        "element.positionX": "the editor's layout", "element.positionY": "the editor's layout",
        "element.width": "the editor's layout", "element.height": "the editor's layout",
        "attribute.syncable": "YES is what absence means", "relationship.syncable": "YES is what absence means",
        "fetchedProperty.syncable": "YES is what absence means",
        "fetchRequest.includeSubentities": "YES is what absence means",
        "fetchRequest.includePropertyValues": "YES is what absence means",
        "fetchRequest.returnObjectsAsFaults": "YES is what absence means",
    ]

    private func names(_ element: ModelElement, into names: inout Set<String>) {
        names.insert(element.name)
        for attribute in element.attributes { names.insert("\(element.name).\(attribute.name)") }
        for inner in element.elements { self.names(inner, into: &names) }
    }

    @Test(
        "every name in the fixtures' sources is kept by the model, but for a list with reasons (MOD-03)",
        .enabled(if: Fixtures.areAvailable), .timeLimit(.minutes(20)))
    func everyNameIsAccountedFor() throws {
        var before = Set<String>()
        var after = Set<String>()
        var noted: [String] = []
        for path in ModelDocumentTests.sources {
            let source = try ModelDocument(Data(contentsOf: Fixtures.url(path)))
            let (model, notes) = try source.makeModel()
            noted += notes.map(\.text)
            names(source.root, into: &before)
            names(ModelDocument.describing(model, header: ModelHeader(source)).document.root, into: &after)
        }
        #expect(before.subtracting(after) == Set(Self.leftOut.keys))
        #expect(after.subtracting(before).isEmpty)
        #expect(before.count > 90)
        // A date that was once a truth value: the text without the seconds means nothing.
        #expect(noted == ["defaultValueString=NO"])
    }

    @Test("every attribute that is known is read and written (MOD-03)")
    func everyKnownAttributeIsRead() throws {
        let model = try SourceText.read(SourceWritingTests.everything)
        var written = Set<String>()
        names(ModelDocument.describing(model).document.root, into: &written)
        var known = Set<String>()
        for (element, attributes) in ElementOrder.attributes where element != "model" && element != "element" {
            known.formUnion(attributes.map { "\(element).\($0)" })
        }
        // What is allowed there as for every property, and means nothing.
        let rare: Set = [
            "relationship.spotlightIndexingEnabled", "relationship.storedInTruthFile", "relationship.indexed",
            "relationship.syncable", "fetchedProperty.spotlightIndexingEnabled", "fetchedProperty.storedInTruthFile",
            "fetchedProperty.elementID", "fetchedProperty.versionHashModifier",
        ]
        #expect(known.subtracting(written) == rare)
    }

    @Test("the header of a source is kept in its order (MOD-03)")
    func headersAreKept() throws {
        let text =
            "<model name=\"\" type=\"t\" documentVersion=\"1.0\" lastSavedToolsVersion=\"1\" systemVersion=\"2\" "
            + "minimumToolsVersion=\"Xcode 4.1\" sourceLanguage=\"Objective-C\" usedWithCloudKit=\"YES\" "
            + "usedWithSwiftData=\"YES\" userDefinedModelVersionIdentifier=\"1.1\" macOSVersion=\"Automatic\" "
            + "iOSVersion=\"Automatic\"/>"
        let document = try ModelDocument(Data(text.utf8))
        let (model, notes) = try document.makeModel()
        #expect(notes.isEmpty)
        #expect(model.versionIdentifiers == ["1.1"])
        #expect(ModelDocument.describing(model, header: ModelHeader(document)).document.text.hasSuffix(text))
    }
}
