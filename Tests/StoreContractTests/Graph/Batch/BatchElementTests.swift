import CoreData
import StoreContract
import TestBasics
import Testing

/// Batch updates of single elements of composite attributes.
@Suite struct BatchElementTests {
    private let stack: Stack
    private var context: NSManagedObjectContext { stack.context }

    init() throws {
        stack = try Stack(BatchElementModel.make())
        BatchElementModel.fill(stack.context)
        try stack.context.save()
    }

    private func colors() throws -> [String] { try BatchElementModel.colors(stack) }

    @Test("an element gets a constant, and the others stay (CTX-36)")
    func elementGetsConstantAndOthersStay() throws {
        #expect(try stack.update("Paint", ["color.red": 0.75], where: NSPredicate(format: "name < 'c'")) as? Int == 2)
        #expect(
            try colors() == [
                "a red=0.75 name=Ruby", "b red=0.75 depth=2", "c nil", "g red=0.125 name=Rose depth=3",
            ])
        // A composite that was nil has a value now, and one whose last value went is nil.
        _ = try stack.update("Paint", ["color.shade.depth": 7, "color.red": NSNull()])
        #expect(
            try colors() == ["a name=Ruby depth=7", "b depth=7", "c depth=7", "g name=Rose depth=7"])
        _ = try stack.update("Paint", ["color.shade.depth": NSNull(), "color.name": NSNull()])
        #expect(try colors() == ["a nil", "b nil", "c nil", "g nil"])
        #expect(try stack.newContext().all("Paint", NSPredicate(format: "color == nil")).count == 4)
    }

    @Test("an element is computed from the values before, of each row (CTX-36)")
    func elementIsComputedFromValues() throws {
        let values: [AnyHashable: Any] = [
            "color.red": NSExpression(format: "color.red * 2"), "color.name": NSExpression(format: "name"),
            "color.shade.depth": NSExpression(forConstantValue: 9), "name": NSExpression(format: "uppercase:(name)"),
        ]
        #expect(try stack.update("Paint", values, where: NSPredicate(format: "color.red > 0")) as? Int == 3)
        #expect(
            try colors() == [
                "A red=1.0 name=a depth=9", "B red=0.5 name=b depth=9", "G red=0.25 name=g depth=9", "c nil",
            ])
    }

    @Test("a composite within a composite is set as a whole, and an element by its description (CTX-36)")
    func innerComposites() throws {
        _ = try stack.update("Paint", ["color.shade": ["depth": 5]], where: NSPredicate(format: "name == 'a'"))
        _ = try stack.update("Paint", ["color.shade": NSNull()], where: NSPredicate(format: "name == 'b'"))
        let entity = try #require(NSEntityDescription.entity(forEntityName: "Paint", in: context))
        let color = try #require(entity.propertiesByName["color"] as? NSCompositeAttributeDescription)
        _ = try stack.update("Gloss", [color.elements[0]: 1])
        #expect(
            try colors() == [
                "a red=0.5 name=Ruby depth=5", "b red=0.25", "c nil", "g red=1.0 name=Rose depth=3",
            ])
    }

    @Test("large elements keep their files, but for the one that is set (CTX-36)")
    func largeElements() throws {
        let large = Data(repeating: 7, count: 200_000)
        let paint = try #require(try context.all("Paint", sortedBy: "name").first)
        paint.setValue(["red": 0.5, "image": large], forKey: "color")
        try context.save()
        _ = try stack.update("Paint", ["color.red": 0.25])
        func image() throws -> Data? {
            try stack.newContext().all("Paint", sortedBy: "name").first?.value(forKeyPath: "color.image") as? Data
        }
        #expect(try image() == large)
        let other = Data(repeating: 8, count: 300_000)
        _ = try stack.update("Paint", ["color.image": other])
        #expect(try image() == other)
        _ = try stack.update("Paint", ["color.image": NSNull()])
        #expect(try image() == nil)
    }

    @Test("contexts that merge the identifiers show the new elements, and versions are raised (CTX-36)")
    func contextsThatMergeIdentifiersShowNewElements() throws {
        let paint = try #require(try context.all("Paint", sortedBy: "name").first)
        let identifiers = try stack.update("Paint", ["color.red": 1], .updatedObjectIDsResultType)
        #expect((identifiers as? [NSManagedObjectID])?.count == 4)
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectIDsKey: identifiers ?? []], into: [context])
        #expect(paint.value(forKeyPath: "color.red") as? Double == 1)
    }

    @Test(
        "what cannot be set is refused with its path before anything changes (CTX-36)",
        arguments: [
            (["color.rad": 1], "has no element 'color.rad'", "color.red"),
            (
                ["color.red": "text"],
                "'color.red' of entity 'Paint' cannot be set by a batch request: it takes a value of type", ""
            ),
            (["color.shade.depth": 70_000], "'color.shade.depth' of entity 'Paint'", ""),
            (["color.shade": 1], "'color.shade' of entity 'Paint'", ""),
            (["name.length": 1], "which has no elements", ""),
            (
                ["owner.name": "x"],
                "'owner.name' of entity 'Paint' cannot be set by a batch request: it is a value of another", ""
            ),
            (["colour.red": 1], "no property named 'colour.red'", ""),
        ] as [([String: any Sendable & Hashable], String, String)])
    func whatCannotBeSetIsRefusedWithItsPathBeforeAnythingChanges(
        values: [String: any Sendable & Hashable], message: String, near: String
    ) throws {
        let before = try colors()
        let request = Dictionary(uniqueKeysWithValues: values.map { (AnyHashable($0.key), $0.value as Any) })
        let error = #expect(throws: NSError.self) { _ = try stack.update("Paint", request) }
        #expect(error?.code == NSCoreDataError)
        #expect(error?.localizedDescription.contains(message) == true, "\(String(describing: error))")
        #expect(near.isEmpty || error?.localizedRecoverySuggestion?.contains(near) == true)
        #expect(try colors() == before)
    }

    @Test("an attribute is not set as a whole and by its elements, nor an inner composite computed (CTX-36)")
    func attributeIsNotSetAsWholeAndByItsElements() throws {
        for values in [
            ["color": ["red": 1], "color.red": 1], ["color.shade": ["depth": 1], "color.shade.depth": 1],
            ["color.shade": NSExpression(format: "color.shade")], ["color.red": NSExpression(format: "name")],
        ] as [[AnyHashable: Any]] {
            #expect(failureCode { _ = try stack.update("Paint", values) } == NSCoreDataError)
        }
    }
}

/// Paints with colours that have a composite within, and a parent entity.
enum BatchElementModel {
    static func make() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Paint", ["name": .stringAttributeType])
        builder.entity("Gloss", in: "Paint", ["shine": .doubleAttributeType])
        builder.relationships("Paint.owner", "Paint.owned*")
        builder["Paint"].properties.append(
            composite(
                "color",
                [
                    attribute("red", .doubleAttributeType), attribute("name", .stringAttributeType),
                    composite("shade", [attribute("depth", .integer16AttributeType)]),
                    attribute("image", .binaryDataAttributeType, isLarge: true),
                ]))
        return builder.model
    }

    private static func attribute(
        _ name: String, _ type: NSAttributeType, isLarge: Bool = false
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
        attribute.allowsExternalBinaryDataStorage = isLarge
        return attribute
    }

    private static func composite(
        _ name: String, _ elements: [NSAttributeDescription]
    ) -> NSCompositeAttributeDescription {
        let composite = NSCompositeAttributeDescription()
        (composite.name, composite.isOptional, composite.elements) = (name, true, elements)
        return composite
    }

    static func fill(_ context: NSManagedObjectContext) {
        context.insert("Paint", ["name": "a", "color": ["red": 0.5, "name": "Ruby"]])
        context.insert("Paint", ["name": "b", "color": ["red": 0.25, "shade": ["depth": 2]] as [String: Any]])
        context.insert("Paint", ["name": "c"])
        context.insert(
            "Gloss", ["name": "g", "color": ["red": 0.125, "name": "Rose", "shade": ["depth": 3]] as [String: Any]])
    }

    /// The colours in the store, as texts in the order of the names.
    static func colors(_ stack: Stack) throws -> [String] {
        try stack.newContext().all("Paint", sortedBy: "name").map { paint in
            let color = paint.value(forKey: "color") as? [String: Any]
            let parts = ["red", "name", "shade.depth"].compactMap { path -> String? in
                let value = paint.value(forKeyPath: "color.\(path)")
                switch path {
                case "red": return (value as? Double).map { "red=\($0)" }
                case "name": return (value as? String).map { "name=\($0)" }
                default: return (value as? Int).map { "depth=\($0)" }
                }
            }
            return "\(paint.value(forKey: "name") ?? "") " + (color == nil ? "nil" : parts.joined(separator: " "))
        }
    }
}
