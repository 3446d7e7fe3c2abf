import TestBasics
import Testing

@testable import CoreDataModeling

/// Indexes and uniqueness constraints over single elements of composite attributes.
@Suite struct ElementPathTests {
    private static func source(constraint: String = "color.red", index: String = "color.shade.depth") -> String {
        """
        <entity name="Paint"><attribute name="color" optional="YES" attributeType="Composite" composite="Color"/>
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Paint" inverseName="owned"/>
        <relationship name="owned" optional="YES" toMany="YES" destinationEntity="Paint" inverseName="owner"/>
        <fetchIndex name="i"><fetchIndexElement property="\(index)" type="Binary" order="descending"/></fetchIndex>
        <uniquenessConstraints><uniquenessConstraint><constraint value="\(constraint)"/></uniquenessConstraint></uniquenessConstraints>
        </entity>
        <composite name="Color"><attribute name="red" optional="YES" attributeType="Double"/>
        <attribute name="shade" optional="YES" attributeType="Composite" composite="Shade"/></composite>
        <composite name="Shade"><attribute name="depth" optional="YES" attributeType="Integer 16"/></composite>
        """
    }

    private func element(_ path: String, of model: NSManagedObjectModel) throws -> NSPropertyDescription {
        let color = try #require(model.entitiesByName["Paint"]?.propertiesByName["color"])
        let composite = try #require(color as? NSCompositeAttributeDescription)
        return try #require(composite.element(at: path.split(separator: ".").map(String.init)))
    }

    @Test("paths to elements are read from a source and a compiled model, written and kept (MOD-09, MOD-36)")
    func readAndWritten() throws {
        let model = try SourceText.read(Self.source())
        let compiled = try NSManagedObjectModel(compiled: model.compiledData())
        let cached = try NSManagedObjectModel(cachedModel: model.cachedModel())
        let written = ModelDocument.describing(model).document.text
        let again = try NSManagedObjectModel(source: Data(written.utf8))
        for model in [model, compiled, cached, again, try #require(model.copy() as? NSManagedObjectModel)] {
            let paint = try #require(model.entitiesByName["Paint"])
            #expect(paint.uniquenessConstraintNames == [["color.red"]])
            let part = try #require(paint.indexes.first?.elements.first)
            #expect(part.propertyName == "color.shade.depth" && !part.isAscending && part.indexedExpression == nil)
            #expect(try part.property === element("shade.depth", of: model))
            #expect(ModelCheck.findings(in: model).allSatisfy { $0.rule.severity != .error })
        }
        #expect(written.contains(#"<fetchIndexElement property="color.shade.depth""#))
        #expect(written.contains(#"<constraint value="color.red"/>"#))
    }

    @Test("a constraint is hashed by its names with dots between, an index is not (MOD-36)")
    func constraintIsHashedByItsNamesWithDots() throws {
        func hash(_ constraints: [[Any]], _ change: (NSEntityDescription) -> Void = { _ in }) throws -> Data {
            let model = try SourceText.read(Self.source())
            let paint = try #require(model.entitiesByName["Paint"])
            paint.uniquenessConstraints = constraints
            change(paint)
            return paint.versionHash
        }
        let element = try hash([["color.red"]])
        #expect(try element == SourceText.read(Self.source()).entitiesByName["Paint"]?.versionHash)
        #expect(try hash([["color", "red"]]) == element)
        #expect(try hash([]) != element)
        #expect(try hash([["color.red"]]) { $0.indexes = [] } == element)
    }

    @Test("elements are described by their own descriptions too, and by key paths (MOD-09)")
    func elementsAreDescribedByTheirOwnDescriptionsToo() throws {
        let model = try SourceText.read(Self.source())
        let paint = try #require(model.entitiesByName["Paint"])
        let (red, depth) = (try element("red", of: model), try element("shade.depth", of: model))
        let computed = NSExpressionDescription()
        (computed.name, computed.expression) = ("expression1", NSExpression(forKeyPath: "color.red"))
        paint.indexes = [
            NSFetchIndexDescription(
                name: "j", elements: [red, depth, computed].map { .init(property: $0, collationType: .binary) })
        ]
        paint.uniquenessConstraints = [[red, "name"]]
        #expect(paint.indexes[0].elements.map(\.propertyName) == ["color.red", "color.shade.depth", "expression1"])
        #expect(paint.indexes[0].elements.map(\.indexedExpression) == [nil, nil, .property("color.red")])
        #expect(paint.uniquenessConstraintNames == [["color.red", "name"]])
        let copy = try #require((model.copy() as? NSManagedObjectModel)?.entitiesByName["Paint"])
        #expect(copy.indexes[0].elements.map(\.propertyName) == paint.indexes[0].elements.map(\.propertyName))
        #expect(copy.uniquenessConstraintNames == [["color.red", "name"]])
    }

    @Test(
        "an unknown element is named with the nearest one (MOD-09)",
        arguments: [
            ("color.rad", "the unknown element 'color.rad'", "color.red"),
            ("color.shade.deph", "the unknown element 'color.shade.deph'", "color.shade.depth"),
            ("color.red.x", "the unknown element 'color.red.x'", nil), ("color.", "the unknown element 'color.'", nil),
            ("colour.red", "the unknown property 'colour.red'", nil), ("name.length", "the unknown property", nil),
            ("owner.name", "the unknown property 'owner.name'", nil),
        ] as [(String, String, String?)])
    func unknownElements(path: String, cause: String, near: String?) throws {
        for source in [Self.source(constraint: path), Self.source(index: path)] {
            let error = try #require(SourceText.error(source))
            #expect(error.cause.contains(cause), "\(error)")
            #expect(near.map { "\(error)".contains($0) } ?? true, "\(error)")
        }
    }

    @Test("a composite within a composite has no column to be indexed or unique (MOD-09)")
    func innerComposites() throws {
        let model = try SourceText.read(Self.source(constraint: "color.shade", index: "color.shade"))
        let rules = Set(ModelCheck.findings(in: model).map(\.rule.identifier))
        #expect(rules.isSuperset(of: ["index-unstored-property", "constraint-unstored-property"]))
        let tree = Self.source().replacing("type=\"Binary\"", with: "type=\"RTree\"")
        let findings = ModelCheck.findings(in: try SourceText.read(tree))
        #expect(!findings.contains { $0.rule.identifier == "rtree-elements" })
    }
}
