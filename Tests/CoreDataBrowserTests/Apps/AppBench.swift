import CoreData
import Foundation
import StoreContract
import TestBasics
import Testing

@testable import CoreDataBrowser
@testable import SuperDBSample

/// A browser that shows one application, with its store and settings in a folder of the test.
struct AppBench {
    /// 2015-05-01 12:00 UTC, for which the ages of the fixture are told.
    static let now = Date(timeIntervalSince1970: 1_430_481_600)

    let folder: URL
    let browser: Browser
    private let user = BrowserUser(name: "tester")

    /// Opens a folder below `Examples/`.
    init(_ example: String, in folder: TemporaryFolder, classes: [NSManagedObject.Type] = []) throws {
        try self.init(app: Self.examples.appendingPathComponent(example), in: folder, classes: classes)
    }

    init(app: URL, in folder: TemporaryFolder, classes: [NSManagedObject.Type] = []) throws {
        self.folder = folder.url
        var options = BrowserOptions()
        options.stateFolder = folder.url.appendingPathComponent("state")
        options.now = { Self.now }
        HeroClock.set { Self.now }
        browser = Browser(options: options)
        try browser.openApp(app, classes: classes, storeFolder: folder.url)
    }

    static var examples: URL {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { url.deleteLastPathComponent() }
        return url.appendingPathComponent("Examples")
    }

    var app: BrowsedApp { browser.core.apps.shown[0] }

    /// What a page answers, and its status.
    func ask(_ method: String, _ target: String, _ body: JSONValue? = nil) async throws -> (Int, JSONValue) {
        let bytes = body.map { Array(JSONWriter.line($0).utf8) } ?? []
        let headers: BrowserHeaders = ["Content-Type": "application/json", "Accept-Language": "en-US,en;q=0.9"]
        let response = await browser.respond(
            to: BrowserRequest(
                method: method, target: browser.named(target), headers: headers, body: BrowserBody(bytes), user: user))
        let answer = try await response.body.bytes(limit: 1 << 24)
        return (response.status, try JSONReader.values(in: answer, of: target).first ?? .null)
    }

    func get(_ target: String) async throws -> JSONValue {
        let (status, answer) = try await ask("GET", target)
        #expect(status == 200, "\(target): \(JSONWriter.line(answer))")
        return answer
    }

    func list(_ query: String = "") async throws -> JSONValue { try await get("/apps/1/lists/0\(query)") }

    /// Stages steps as a session does, and saves them.
    func save(_ steps: JSONValue) async throws {
        let store = app.store.opened
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = store.coordinator
        let core = browser.core
        let id = app.store.id
        try await context.perform {
            let shown = try core.store(id).opened
            var made: [NSManagedObject] = []
            for step in steps.all {
                let reading = StoreReading(shown, context)
                func object(_ key: String) throws -> NSManagedObject {
                    let name = step[key].text
                    return name.hasPrefix("@") ? made[Int(name.dropFirst()) ?? 0] : try AppObjects.find(name, reading)
                }
                switch step["do"].text {
                case "insert":
                    let new = NSEntityDescription.insertNewObject(forEntityName: step["entity"].text, into: context)
                    made.append(new)
                    if case .members(let values) = step["values"] {
                        for value in values { try Self.set(value.value, value.key, new, reading) }
                    }
                case "set": try Self.set(step["value"], step["key"].text, object("object"), reading)
                case "delete": context.delete(try object("object"))
                case "add": try object("object").mutableSetValue(forKey: step["key"].text).add(object("member"))
                case "remove": try object("object").mutableSetValue(forKey: step["key"].text).remove(object("member"))
                default: Issue.record("unknown step")
                }
            }
            try context.save()
        }
    }

    private static func set(
        _ value: JSONValue, _ key: String, _ object: NSManagedObject, _ reading: StoreReading
    ) throws {
        if let attribute = object.entity.attributesByName[key] {
            try object.setCodedValue(JSONValueParsing.value(value, for: attribute), forKey: key)
        } else {
            try object.setCodedValue(value.isNull ? nil : AppObjects.find(value.text, reading), forKey: key)
        }
    }

    /// Puts the five heroes of the fixture into the store.
    func fill() async throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = app.store.opened.coordinator
        try await context.perform {
            SuperDB.fill(context)
            try context.save()
        }
    }

    /// The name in addresses of a hero.
    func hero(_ name: String) async throws -> String {
        let found = try await list("?tab=0").rows.first { $0["title"].text == name }
        return try #require(found)["id"].text
    }

    func form(_ id: String) async throws -> JSONValue { try await get("/apps/1/forms/HeroDetailConfiguration/\(id)") }

    /// Saves a form as the page does: asks for the steps, and stages them.
    @discardableResult
    func enter(_ values: [(String, JSONValue)], form: String = "HeroDetailConfiguration", _ id: String) async throws
        -> (Int, JSONValue)
    {
        let body = JSONValue.object([("values", .object(values))])
        let (status, answer) = try await ask("POST", "/apps/1/forms/\(form)/\(id)", body)
        if status == 200 { try await save(answer["steps"]) }
        return (status, answer)
    }
}

extension JSONValue {
    subscript(key: String) -> JSONValue { member(key) ?? .null }

    subscript(index: Int) -> JSONValue { all.indices.contains(index) ? all[index] : .null }

    var all: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

    var text: String {
        switch self {
        case .string(let text): text
        case .null: ""
        default: JSONWriter.line(self)
        }
    }

    var rows: [JSONValue] { self["rows"].all }

    var titles: [String] { rows.map { $0["title"].text } }

    /// The row of a form for a key.
    func row(_ key: String) -> JSONValue {
        self["sections"].all.flatMap(\.rows).first { $0["key"].text == key } ?? .null
    }
}
