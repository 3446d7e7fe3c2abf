import Testing

@testable import CoreDataModeling

/// Elements of fetch indexes that are no properties, as Apple's compiler keeps them.
@Suite struct IndexElementTests {
    /// A model of one entity with a date and an index, whose elements the test gives.
    private func archive(_ elements: (inout ArchiveBuilder) throws -> [PropertyList]) rethrows -> Data {
        var builder = ArchiveBuilder()
        let entity = builder.reserve()
        let date = builder.add(
            "NSAttributeDescription",
            [
                "NSPropertyName": builder.text("entryDate"), "NSAttributeType": .integer(900), "NSEntity": entity,
                "NSIsOptional": .boolean(true),
            ])
        let index = builder.add(
            "NSFetchIndexDescription",
            [
                "NSIndexName": builder.text("compoundIndex1"), "NSEntity": entity,
                "NSIndexElements": builder.collection("NSArray", try elements(&builder)),
            ])
        builder.define(
            entity, className: "NSEntityDescription",
            fields: [
                "NSEntityName": builder.text("CloudFeedEntry"),
                "NSProperties": builder.dictionary("NSDictionary", [(builder.text("entryDate"), date)]),
                "NSFetchIndexDescriptions": builder.collection("NSArray", [index]),
            ])
        let root = builder.add(
            "NSManagedObjectModel",
            ["NSEntities": builder.dictionary("NSDictionary", [(builder.text("CloudFeedEntry"), entity)])])
        return builder.data(root: root)
    }

    private func element(_ builder: inout ArchiveBuilder, _ fields: [String: PropertyList]) -> PropertyList {
        builder.add("NSFetchIndexElementDescription", fields)
    }

    private func computed(
        _ builder: inout ArchiveBuilder, _ name: String, _ expression: String
    ) throws -> PropertyList {
        let property = builder.add(
            "NSExpressionDescription",
            [
                "NSPropertyName": builder.text(name),
                "NSExpression": try builder.expression(NSExpression(parsing: expression)),
            ])
        return element(&builder, ["NSPropertyName": builder.text(name), "NSProperty": property])
    }

    @Test("expressions of index elements are read from a compiled model, and kept (MOD-02, STO-19)")
    func expressionsAreRead() throws {
        let data = try archive { builder in
            [
                try computed(&builder, "expression1", "entity"), try computed(&builder, "expression2", "SELF"),
                element(&builder, ["NSPropertyName": builder.text("entryDate"), "NSAscending": .boolean(false)]),
            ]
        }
        let model = try NSManagedObjectModel(compiled: data)
        let again = try NSManagedObjectModel(compiled: model.compiledData())
        let cached = try NSManagedObjectModel(cachedModel: model.cachedModel())
        for model in [model, again, cached] {
            let index = try #require(model.entitiesByName["CloudFeedEntry"]?.indexes.first)
            #expect(index.elements.map(\.indexedExpression) == [.entity, .row, nil])
            #expect(index.elements.map(\.expressionText) == ["entity", "SELF", nil])
            #expect(index.elements.map(\.isAscending) == [true, true, false])
        }
        let document = ModelDocument.describing(model).document.text
        #expect(document.contains("expression=\"entity\""))
        #expect(document.contains("expression=\"SELF\""))
        #expect(!ModelCheck.findings(in: model).contains { $0.rule.severity == .error })
        // Indexes are not hashed.
        let plain = try NSManagedObjectModel(compiled: archive { _ in [] })
        #expect(model.entityVersionHashesByName == plain.entityVersionHashesByName)
    }

    @Test("what is not known of an index closes no compiled model (MOD-02)")
    func unknownPartsAreKept() throws {
        let data = archive { builder in
            [
                element(&builder, ["NSPropertyName": builder.text("expression1")]), element(&builder, [:]),
                element(
                    &builder, ["NSPropertyName": builder.text("entryDate"), "NSFetchIndexElementType": .integer(7)]),
                builder.text("no element"),
            ]
        }
        let model = try NSManagedObjectModel(compiled: data)
        let index = try #require(model.entitiesByName["CloudFeedEntry"]?.indexes.first)
        #expect(index.elements.map(\.propertyName) == ["expression1", "", "entryDate", ""])
        let findings = ModelCheck.findings(in: model).filter { $0.rule.identifier == "index-unknown-property" }
        #expect(findings.count == 3)
        #expect(try NSManagedObjectModel(compiled: model.compiledData()).entities.count == 1)
    }

    @Test("a source's index of an unknown kind is read, one over an unknown property is refused (MOD-09)")
    func sourcesIndexOfUnknownKindIsRead() throws {
        func source(_ element: String) -> String {
            """
            <entity name="A"><attribute name="x" optional="YES" attributeType="Double"/>
            <fetchIndex name="i"><fetchIndexElement \(element)/></fetchIndex></entity>
            """
        }
        #expect(SourceText.error(source("property=\"x\" type=\"Vector\" order=\"ascending\"")) == nil)
        #expect(SourceText.error(source("expression=\"entity\" type=\"Binary\" order=\"ascending\"")) == nil)
        let refusal = SourceText.error(source("property=\"y\" type=\"Binary\" order=\"ascending\""))
        #expect(refusal?.cause.contains("'y'") == true)
    }
}
