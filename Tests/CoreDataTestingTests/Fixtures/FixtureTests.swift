import CoreData
import CoreDataTesting
import TestBasics
import Testing

@Suite struct FixtureTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String, _ text: String) throws -> URL {
        let url = folder.url.appendingPathComponent(name)
        try Data(text.utf8).write(to: url)
        return url
    }

    private func titles(_ stack: TestStack) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Team")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        return try stack.context.fetch(request).compactMap { $0.value(forKey: "title") as? String }
    }

    @Test("fixtures are loaded from JSON and CSV together (TEST-03)", arguments: TestStack.Kind.allCases)
    func fixturesAreLoadedFromJSONAndCSV(_ kind: TestStack.Kind) throws {
        let stack = try TestStack(GuildModel.model, kind)
        let json = try file("teams.json", #"[{"entity":"Team","title":"Owls"},{"title":"Bats"}]"#)
        let table = try file("Team.csv", "title\nCats\n\"Dogs, two\"\n")
        #expect(try stack.load(json, table, entity: "Team") == 4)
        #expect(try titles(stack) == ["Bats", "Cats", "Dogs, two", "Owls"])
        #expect(!stack.context.hasChanges)
    }

    @Test("links of fixtures lead by objectID (TEST-03)")
    func linksLeadByIdentifier() throws {
        let stack = try TestStack(GuildModel.model)
        let json = try file(
            "guild.json",
            """
            [{"objectID":"x-coredata:///Team/t1","entity":"Team","attributes":{"title":"Owls"}},
             {"objectID":"x-coredata:///Hero/h1","entity":"Hero","attributes":{"name":"Annabel","rank":4,"code":"A"},
              "relationships":{"team":"x-coredata:///Team/t1"}},
             {"objectID":"x-coredata:///Oath/o1","entity":"Oath","attributes":{"text":"one"},
              "relationships":{"hero":"x-coredata:///Hero/h1"}},
             {"objectID":"x-coredata:///Oath/o2","entity":"Oath","attributes":{"text":"two"},
              "relationships":{"hero":"x-coredata:///Hero/h1"}}]
            """)
        #expect(try stack.load(json) == 4)
        let hero = try #require(try stack.context.fetch(NSFetchRequest<Hero>(entityName: "Hero")).first)
        #expect(hero.team?.value(forKey: "title") as? String == "Owls")
    }

    @Test("fixtures are loaded from property lists, with dates and data (TEST-03)", arguments: TestStack.Kind.allCases)
    func fixturesAreLoadedFromPropertyLists(_ kind: TestStack.Kind) throws {
        let stack = try TestStack(GuildModel.model, kind)
        let moment = Date(timeIntervalSinceReferenceDate: 700_000_000)
        try stack.make("Team", ["title": "Owls"])
        try stack.context.save()
        let list: [String: Any] = ["Team": [["title": "Bats"], ["title": "Cats"]]]
        let url = folder.url.appendingPathComponent("teams.plist")
        try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0).write(to: url)
        #expect(try stack.load(url) == 2)
        #expect(try titles(stack) == ["Bats", "Cats", "Owls"])
        let dated = try TestStack(DatedModel.model, kind)
        let other = folder.url.appendingPathComponent("Event.plist")
        try PropertyListSerialization.data(
            fromPropertyList: [["when": moment, "bytes": Data([1, 2, 255])]], format: .xml, options: 0
        ).write(to: other)
        #expect(try dated.load(other, entity: "Event") == 1)
        let event = try dated.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Event")).first
        #expect(event?.value(forKey: "when") as? Date == moment)
        #expect(event?.value(forKey: "bytes") as? Data == Data([1, 2, 255]))
    }

    @Test("a fixture that a rule refuses is named with its line, and nothing is saved (TEST-03)")
    func refusedFixtureIsNamed() throws {
        let stack = try TestStack(GuildModel.model, .sqlite)
        let table = try file("Hero.csv", "name,rank,code\nAnnabel,40,A\n")
        let error = #expect(throws: TestingError.self) { try stack.load(table) }
        #expect(error?.code == .badFixture && error?.reason.contains("Hero.csv:2") == true, "\(error?.reason ?? "")")
        #expect(try stack.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Hero")) == 0)
    }

    @Test("files that are missing, cut off or no objects are refused (TEST-03)")
    func brokenFilesAreRefused() throws {
        let stack = try TestStack(GuildModel.model)
        let broken = [
            folder.url.appendingPathComponent("missing.json"), try file("cut.json", "[{\"entity\":\"Team\","),
            try file("text.plist", "no list"), try file("number.plist", "<plist><integer>3</integer></plist>"),
            try file("unknown.json", #"[{"entity":"Nobody","title":"x"}]"#),
        ]
        for url in broken {
            let error = #expect(throws: TestingError.self, "\(url.lastPathComponent)") { try stack.load(url) }
            #expect(error?.code == .badFixture)
        }
    }
}

enum DatedModel {
    static let model: NSManagedObjectModel = {
        let entity = NSEntityDescription()
        entity.name = "Event"
        let (when, bytes) = (NSAttributeDescription(), NSAttributeDescription())
        (when.name, when.attributeType, when.isOptional) = ("when", .dateAttributeType, true)
        (bytes.name, bytes.attributeType, bytes.isOptional) = ("bytes", .binaryDataAttributeType, true)
        entity.properties = [when, bytes]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }()
}
