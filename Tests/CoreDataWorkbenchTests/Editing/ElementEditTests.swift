import CoreData
import CoreDataWorkbench
import StoreContract
import TestBasics
import Testing

/// Elements of composite attributes, by their paths, in stores that keep their models.
@Suite struct ElementEditTests {
    private static func store(_ folder: TemporaryFolder) throws -> URL {
        let builder = ModelBuilder()
        builder.entity("Paint", ["name": .stringAttributeType])
        let color = NSCompositeAttributeDescription()
        (color.name, color.isOptional) = ("color", true)
        color.elements = [("red", NSAttributeType.doubleAttributeType), ("grade", .integer16AttributeType)].map {
            let element = NSAttributeDescription()
            (element.name, element.attributeType) = ($0, $1)
            return element
        }
        builder["Paint"].properties.append(color)
        let url = folder.url.appendingPathComponent("Paints.sqlite")
        let stack = try Stack(builder.model, url: url)
        stack.context.insert("Paint", ["name": "a", "color": ["red": 0.5, "grade": 3]])
        stack.context.insert("Paint", ["name": "b"])
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
        return url
    }

    private func edit(_ words: [String], _ address: String, _ url: URL) throws -> [ObjectEdit.Outcome] {
        let store = try OpenStore(at: url, model: nil, for: .editing)
        defer { store.close() }
        return try ObjectEdit(words).apply(to: .addresses([address]), in: store)
    }

    @Test("an element is set by its path, and the others stay (TOOL-17)")
    func elementIsSet() throws {
        let folder = try TemporaryFolder()
        let url = try Self.store(folder)
        let outcome = try edit(["color.red=0.75"], "Paint/p1", url)
        let change = try #require(outcome.first?.changes.first)
        #expect(outcome.count == 1 && change.key == "color")
        #expect(JSONWriter.line(change.before.json) == #"{"grade":3,"red":0.5}"#)
        #expect(JSONWriter.line(change.after.json) == #"{"grade":3,"red":0.75}"#)
        #expect(try edit(["color.red=0.75"], "Paint/p1", url).first?.changes.isEmpty == true)
        let second = try edit(["color.grade=4", "color.red=0.25"], "Paint/p2", url)
        #expect(second.first.map { $0.changes.map { JSONWriter.line($0.after.json) } } == [#"{"grade":4,"red":0.25}"#])
        let none = try edit(["color.grade=@null", "color.red=@null"], "Paint/p2", url)
        #expect(none.first.map { $0.changes.map { JSONWriter.line($0.after.json) } } == ["null"])
    }

    @Test("wrong elements are refused with their names, and nothing is changed (TOOL-17)")
    func wrongElementsAreRefused() throws {
        let folder = try TemporaryFolder()
        let url = try Self.store(folder)
        func refusal(_ words: String...) -> InspectionError? {
            #expect(throws: InspectionError.self) { try edit(words, "Paint/p1", url) }
        }
        #expect(refusal("color.rad=1")?.cause == "the composite 'color' has no element 'rad'")
        #expect(refusal("color.rad=1")?.hint == "did you mean 'color.red'?")
        #expect(refusal("color.red=1", "color=@null")?.cause == "the key is named twice")
        #expect(refusal("color.red+=1")?.cause == "only a to-many relationship takes += and -=")
        let range = refusal("color.grade=40000")
        #expect(range?.cause.contains("'color.grade'") == true, "\(String(describing: range))")
        #expect(try edit(["color.grade=3"], "Paint/p1", url).first?.changes.isEmpty == true)
    }

    @Test("key paths into composites are read, sorted by and grouped by (TOOL-16)")
    func keyPathsIntoComposites() throws {
        let folder = try TemporaryFolder()
        let url = try Self.store(folder)
        let store = try OpenStore(at: url, model: nil, for: .reading)
        let entity = try #require(store.coordinator.managedObjectModel.entitiesByName["Paint"])
        let route = try KeyRoute("color.red", from: entity)
        #expect(route.attribute?.name == "red" && route.isNumber)
        try route.requireGroupable()
        let error = #expect(throws: InspectionError.self) { try KeyRoute("color.blue.x", from: entity) }
        #expect(error?.cause == "the composite 'color' has no element 'blue.x'")
    }
}
