import CoreData
import Foundation
import StoreContract
import TestBasics
import Testing

@testable import CoreDataBrowser

/// Forms in which objects are chosen for relationships.
@Suite("Relationships that are chosen in forms") struct RelationshipChoiceTests {
    private let folder: TemporaryFolder
    private let bench: AppBench

    init() throws {
        folder = try TemporaryFolder()
        bench = try AppBench("Orders/App", in: folder)
    }

    private func insert(_ entity: String, _ values: [String: Any]) throws -> String {
        let store = bench.app.store.opened
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = store.coordinator
        return try context.performAndWait {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            for (key, value) in values { object.setValue(value, forKey: key) }
            try context.save()
            return object.objectID.shortText
        }
    }

    private func post(_ path: String, _ values: JSONValue) async throws -> (Int, JSONValue) {
        try await bench.ask("POST", path, .object([("values", values)]))
    }

    private static let new = "/apps/1/forms/OrderDetail/CustomerOrder/new"

    @Test("a relationship that the model demands is chosen in the form of a new object (SAMPLE-12)")
    func demanded() async throws {
        let lamp = try insert("Product", ["name": "Lamp"])
        let form = try await bench.get(Self.new)
        let rows = form["sections"].all.flatMap { $0["rows"].all }
        let row = try #require(rows.first { $0["key"].text == "orderItems" })
        #expect(row["kind"].text == "relationship" && row["entity"].text == "Product" && row["label"].text == "Item")
        let (status, refused) = try await post(Self.new, .object([("customerName", .string("Ann"))]))
        #expect(status == 422 && refused["problems"].all.first?["key"].text == "orderItems", "\(refused)")
        let (saved, answer) = try await post(
            Self.new,
            .object([("customerName", .string("Ann")), ("orderItems", .array([.string(lamp), .string(lamp)]))]))
        #expect(
            saved == 200 && answer["steps"].all.map { $0["do"].text } == ["insert", "insert", "add", "insert", "add"])
        #expect(answer["steps"].all.map { $0["member"].text } == ["", "", "@1", "", "@3"])
        #expect(answer["steps"].all[1]["values"]["product"].text == lamp)
    }

    @Test("what cannot be chosen is refused with the reason, and nothing traps (SAMPLE-12)")
    func refused() async throws {
        let lamp = try insert("Product", ["name": "Lamp"])
        let item = try insert("OrderItem", [:])
        for value: JSONValue in [
            .array([.string(item)]), .array([.string("Product/p999")]), .array([.string("")]), .array([.integer(1)]),
            .bool(true), .string("../etc"), .array([.array([])]),
        ] {
            let (status, answer) = try await post(Self.new, .object([("orderItems", value)]))
            #expect(status == 422 && !answer["problems"].all.isEmpty, "\(JSONWriter.line(value))")
            let (checked, problems) = try await post(Self.new + "/check", .object([("orderItems", value)]))
            #expect(checked == 200 && !problems["problems"].all.isEmpty)
        }
        let (status, answer) = try await post(Self.new + "/check", .object([("orderItems", .array([.string(lamp)]))]))
        #expect(status == 200 && answer["problems"].all.isEmpty)
    }

    @Test("a to-one relationship is chosen where its row says so, also in a saved object (SAMPLE-12)")
    func toOne() async throws {
        let file = folder.url.appendingPathComponent("Copy")
        try FileManager.default.copyItem(at: AppBench.examples.appendingPathComponent("Orders"), to: file)
        let detail = file.appendingPathComponent("App/ItemDetail.plist")
        let list = """
            { sections = ( { rows = ( { key = product; label = Product; class = RelationshipCell; },
              { key = quantity; label = Quantity; class = RelationshipCell; },
              { key = customerOrder; label = Order; class = RelationshipCell; through = nothing; } ); } ); }
            """
        let plist = try PropertyListSerialization.propertyList(from: Data(list.utf8), format: nil)
        try PropertyListSerialization.data(fromPropertyList: plist, format: .xml, options: 0).write(to: detail)
        let other = try AppBench(app: file.appendingPathComponent("App"), in: folder)
        let (lamp, item) = (try insert("Product", ["name": "Lamp"]), try insert("OrderItem", [:]))
        let path = "/apps/1/forms/ItemDetail/\(item)"
        let form = try await other.get(path)
        let rows = form["sections"].all.flatMap { $0["rows"].all }
        #expect(rows[0]["kind"].text == "relationship" && rows[0]["entity"].text == "Product")
        #expect(rows[1]["kind"].text == "label")
        let problems = form["problems"].all.map { $0["text"].text }.joined(separator: "\n")
        #expect(
            problems.contains("RelationshipCell cannot edit 'quantity'") && problems.contains("'nothing'"),
            "\(problems)")
        let (status, answer) = try await other.ask(
            "POST", path, .object([("values", .object([("product", .string(lamp))]))]))
        #expect(status == 200 && answer["steps"].all.map { $0["value"].text } == [lamp], "\(answer)")
        let (cleared, none) = try await other.ask(
            "POST", path, .object([("values", .object([("product", .null)]))]))
        #expect(cleared == 200 && none["steps"].all.count == 1, "\(none)")
    }
}
