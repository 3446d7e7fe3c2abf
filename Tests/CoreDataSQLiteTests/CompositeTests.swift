import CoreData
import SQLiteKit
import TestBasics
import Testing

@Suite("Composite attributes")
struct CompositeTests {
    private static func model() -> NSManagedObjectModel {
        let size = NSCompositeAttributeDescription()
        size.name = "size"
        size.elements = [
            SampleStore.attribute("unit", .stringAttributeType), SampleStore.attribute("height", .doubleAttributeType),
        ]
        let part = NSCompositeAttributeDescription()
        part.name = "part"
        part.isOptional = true
        part.elements = [
            SampleStore.attribute("count", .integer32AttributeType), SampleStore.attribute("code", .UUIDAttributeType),
            size,
        ]
        let model = NSManagedObjectModel()
        model.entities = [SampleStore.entity("Thing", [SampleStore.attribute("name", .stringAttributeType), part])]
        return model
    }

    @Test("The elements of a composite have columns of their own and come back as a dictionary")
    func roundTrip() throws {
        let url = try Fixtures.temporaryFolder().appendingPathComponent("Things.sqlite")
        let first = try Opened(url, model: Self.model())
        let code = UUID()
        func insert(_ name: String, _ part: [String: Any]?) {
            let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: first.context)
            thing.setValue(name, forKey: "name")
            thing.setValue(part, forKey: "part")
        }
        insert("whole", ["count": 7, "code": code, "size": ["unit": "größer", "height": 2.5]])
        insert("some", ["size": ["height": 1]])
        insert("none", nil)
        try first.context.save()
        let connection = try Connection.open(url.path)
        let columns = try connection.catalog().table("ZTHING")?.columns.map(\.name) ?? []
        #expect(Set(columns).isSuperset(of: ["ZCOUNT", "ZCODE", "ZUNIT", "ZHEIGHT"]), "\(columns)")
        #expect(
            try connection.rows("SELECT ZCOUNT, ZUNIT, ZHEIGHT, length(ZCODE) FROM ZTHING WHERE ZNAME = 'whole'")
                == [[7, "größer", 2.5, 16]])
        #expect(
            try connection.rows("SELECT ZCOUNT, ZUNIT, ZHEIGHT, ZCODE FROM ZTHING WHERE ZNAME = 'some'")
                == [[.null, .null, 1.0, .null]])

        let second = try Opened(url, model: Self.model())
        func part(_ name: String, _ open: Opened) throws -> [String: Any]? {
            let thing = try #require(try open.fetch("Thing").first { $0.value(forKey: "name") as? String == name })
            return thing.value(forKey: "part") as? [String: Any]
        }
        let whole = try #require(try part("whole", second))
        #expect((whole["count"] as? NSNumber)?.intValue == 7)
        #expect(whole["code"] as? UUID == code)
        #expect((whole["size"] as? [String: Any])?["unit"] as? String == "größer")
        #expect((whole["size"] as? [String: Any])?["height"] as? Double == 2.5)
        #expect(try part("some", second)?.keys.sorted() == ["size"])
        #expect(try part("none", second) == nil)

        let thing = try #require(try second.fetch("Thing").first { $0.value(forKey: "name") as? String == "whole" })
        thing.setValue(["count": 8], forKey: "part")
        try second.context.save()
        #expect(try connection.rows("SELECT ZCOUNT, ZUNIT FROM ZTHING WHERE ZNAME = 'whole'") == [[8, .null]])
        thing.setValue("changed", forKey: "name")
        try second.context.save()
        #expect(try connection.rows("SELECT ZCOUNT, Z_OPT FROM ZTHING WHERE ZNAME = 'changed'") == [[8, 3]])
    }

    @Test("an element of another kind makes the composite unreadable, and that is said (HAZ-24)")
    func elementOfAnotherKind() throws {
        let url = try Fixtures.temporaryFolder().appendingPathComponent("Things.sqlite")
        let first = try Opened(url, model: Self.model())
        let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: first.context)
        thing.setValue("x", forKey: "name")
        thing.setValue(["count": 7], forKey: "part")
        try first.context.save()
        try SampleStore.tamper(url, "UPDATE ZTHING SET ZCOUNT = 'many'")
        let second = try Opened(url, model: Self.model())
        let again = try #require(try second.fetch("Thing").first)
        #expect(again.value(forKey: "part") == nil)
        #expect(again.value(forKey: "name") as? String == "x")
        #expect("\(second.reports)".contains("count"))
    }

    @Test("fetch indexes and uniqueness constraints over elements are made, asked and kept (STO-19)")
    func indexedElements() throws {
        let model = Self.model()
        let thing = try #require(model.entitiesByName["Thing"])
        let part = try #require(thing.propertiesByName["part"] as? NSCompositeAttributeDescription)
        let height = try #require(part.element(at: ["size", "height"]))
        func index(_ name: String, _ format: String? = nil) -> NSFetchIndexDescription {
            let index = NSFetchIndexDescription(
                name: name, elements: [NSFetchIndexElementDescription(property: height, collationType: .binary)])
            index.partialIndexPredicate = format.map { NSPredicate(format: $0) }
            return index
        }
        thing.indexes = [index("byHeight"), index("counted", "part.count == 1")]
        thing.uniquenessConstraints = [["part.code"]]
        let url = try Fixtures.temporaryFolder().appendingPathComponent("Things.sqlite")
        let first = try Opened(url, model: model)
        for number in 0..<100 {
            let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: first.context)
            thing.setValue("\(number)", forKey: "name")
            thing.setValue(
                ["count": number % 50, "code": UUID(), "size": ["height": Double(number)]] as [String: Any],
                forKey: "part")
        }
        try first.context.save()
        let connection = try Connection.open(url.path)
        let made = Set(try connection.catalog().indexes.map(\.sql))
        let wanted = [
            "CREATE INDEX Z_Thing_byHeight ON ZTHING (ZHEIGHT COLLATE BINARY ASC)",
            "CREATE INDEX Z_Thing_counted ON ZTHING (ZHEIGHT COLLATE BINARY ASC) WHERE ZCOUNT = 1",
            "CREATE UNIQUE INDEX \"Z_Thing_UNIQUE_part.code\" ON ZTHING (ZCODE COLLATE BINARY ASC)",
        ]
        #expect(made.isSuperset(of: wanted), "\(made)")
        let store = first.store
        let layout = try #require(ModelLayout.of(model).layout(named: "Thing"))
        let query = FetchQuery(
            binding: store.binding(for: layout), predicate: NSPredicate(format: "part.size.height > 97"),
            sortDescriptors: [], limit: 0)
        let plan = try store.withBackend { try $0.explain(query, candidates: [], greatestCopy: 1 << 30) }
        #expect(plan.explanation.planLines.contains { $0.contains("Z_Thing_byHeight") })
        // An index over an element can be tried like one over an attribute.
        let unserved = FetchQuery(
            binding: store.binding(for: layout), predicate: NSPredicate(format: "part.size.unit == 'm'"),
            sortDescriptors: [], limit: 0)
        let candidate = IndexCandidate(
            entity: "Thing", name: "byPartSizeUnit", elements: [.init(property: "part.size.unit", isAscending: true)])
        let trial = try store.withBackend { try $0.explain(unserved, candidates: [candidate], greatestCopy: 1 << 30) }
        #expect(
            trial.helpful.map(\.sql)
                == ["CREATE INDEX Z_Thing_byPartSizeUnit ON ZTHING (ZUNIT COLLATE BINARY ASC)"])
        // The file is one that the model makes: it is opened for writing, with its indexes.
        let second = try Opened(url, model: model)
        #expect(!second.store.isReadOnly)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        request.predicate = NSPredicate(format: "part.size.height > 97")
        #expect(try second.context.count(for: request) == 2)
    }
}
