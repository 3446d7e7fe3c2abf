import CoreData
import StoreContract
import Testing

/// `coredata migrate` of attributes that get another type of numbers.
struct MigrateNumbersTests {
    /// A store whose events have a count and a weight, and a package with a version of other types.
    private struct Events {
        let models: ModelFolder
        let package: String
        let store: URL

        init(count: String, weight: String, _ values: [(count: Int, weight: Double)]) throws {
            models = try ModelFolder()
            package = try models.package(
                "Events.xcdatamodeld", ("Two", Self.entity(count, weight)), ("One", Self.entity("Integer 32", "Double"))
            )
            store = models.url.appendingPathComponent("Events.sqlite")
            let model = try #require(
                NSManagedObjectModel(contentsOf: URL(fileURLWithPath: package + "/One.xcdatamodel")))
            let stack = try Stack(model, url: store)
            for value in values { stack.context.insert("Event", ["count": value.count, "weight": value.weight]) }
            try stack.context.save()
            try stack.coordinator.remove(stack.store)
        }

        private static func entity(_ count: String, _ weight: String) -> String {
            """
            <entity name="Event">
            <attribute name="count" optional="YES" attributeType="\(count)" usesScalarValueType="NO"/>
            <attribute name="weight" optional="YES" attributeType="\(weight)" usesScalarValueType="NO"/>
            </entity>
            """
        }

        func migrate(_ arguments: String...) throws -> Tool.Outcome {
            try Tool.run(["migrate", store.path, "--to", package] + arguments)
        }
    }

    @Test("a plan refuses numbers that do not fit, with rows and number, and changes no byte (MIG-22)")
    func planRefusesNumbersThatDoNotFit() throws {
        let events = try Events(count: "Integer 16", weight: "Double", [(1, 1), (70_000, 1), (-40_000, 1)])
        defer { events.models.remove() }
        let before = try FolderState(around: events.store)
        let plan = try events.migrate("--plan")
        #expect(plan.code == 1)
        #expect(plan.errors.contains("2 values of Event.count do not fit its new type Integer 16"), "\(plan.errors)")
        #expect(plan.errors.contains("Event/p") && plan.errors.contains("[134110]"), "\(plan.errors)")
        #expect(!plan.errors.contains("70000"))
        let report: [String: Any] = try events.migrate("--plan", "--format", "json").json()
        #expect(report["result"] as? String == "refused")
        let refusal = try #require(report["refusal"] as? [String: Any])
        #expect(refusal["code"] as? Int == 134110)
        let items = try #require(refusal["items"] as? [[String: Any]])
        #expect(items.map { $0["name"] as? String } == ["count"])
        expectRefusal(try events.migrate(), containing: "[134110]", "Event.count")
        #expect(try FolderState(around: events.store) == before)
    }

    @Test("numbers that would be rounded are a loss, as many as change; what may not fit is a remark (MIG-22)")
    func numbersThatWouldBeRoundedAreLoss() throws {
        let events = try Events(count: "Integer 16", weight: "Float", [(1, 0.5), (2, 0.1), (3, 0.2)])
        defer { events.models.remove() }
        let plan = try events.migrate("--plan", "--format", "json")
        #expect(plan.code == 3)
        let report: [String: Any] = try plan.json()
        let losses = try #require(report["losses"] as? [[String: Any]])
        #expect(losses.map { $0["name"] as? String } == ["weight"] && losses.map { $0["count"] as? Int } == [2])
        let remarks = try #require(report["remarks"] as? [[String: Any]])
        #expect(Set(remarks.map { $0["name"] as? String }) == ["count", "weight"])
        #expect(try events.migrate().code == 3)
        let outcome = try events.migrate("--allow-loss", "--no-backup")
        #expect(outcome.code == 0, "\(outcome.errors)")
    }

    @Test("a dry run of numbers that fit finds all of them again (MIG-21)")
    func dryRun() throws {
        let events = try Events(count: "Decimal", weight: "Float", [(1, 0.5), (2, -0.25)])
        defer { events.models.remove() }
        let outcome = try events.migrate("--dry-run", "--format", "json")
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        let report: [String: Any] = try outcome.json()
        #expect(report["result"] as? String == "passed")
        #expect((report["losses"] as? [[String: Any]])?.map { $0["count"] as? Int } == [0])
        #expect(try events.migrate("--no-backup").code == 0)
    }
}
