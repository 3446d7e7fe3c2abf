import CoreData
import Foundation
import TestBasics
import Testing

@testable import CoreDataBrowser
@testable import SuperDBSample

/// The behaviours of SuperDB in their order, as far as they are the server's.
@Suite("SuperDB by property lists", .serialized)
struct SuperDBStageTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func stage(_ number: Int) throws -> AppBench {
        try AppBench("SuperDB/App/Stage\(number)", in: folder, classes: [SuperDBSample.Hero.self])
    }

    @Test("a new store is empty, and + saves Untitled Hero at once (SAMPLE-02, APP-08)")
    func firstLaunch() async throws {
        let bench = try stage(1)
        #expect(FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("SuperDB.sqlite").path))
        #expect(bench.app.problems == [])
        let empty = try await bench.list()
        #expect(empty["total"].text == "0")
        #expect(empty["tab"].text == "0")
        #expect(empty["add"]["mode"].text == "saveFirst")
        for count in 1...2 {
            try await bench.save(empty["add"]["kinds"][0]["steps"])
            let list = try await bench.list()
            #expect(list["sections"].all.map { $0["name"].text } == ["Untitled Hero"])
            #expect(list.titles == Array(repeating: "Untitled Hero", count: count))
            #expect(list.rows.map { $0["subtitle"].text } == Array(repeating: "Unknown", count: count))
        }
    }

    @Test("the second tab exchanges texts, order and sections, and is kept (SAMPLE-02, APP-05)")
    func secondTabExchangesTexts() async throws {
        var bench = try stage(1)
        try await bench.fill()
        let byName = try await bench.list()
        #expect(byName.titles == ["Alpha", "Bolt", "Cinder", "Dusk", "Echo"])
        #expect(byName["index"].all.map(\.text) == ["A", "B", "C", "D", "E"])
        let (status, _) = try await bench.ask("PUT", "/apps/1/defaults/Selected%20Tab", .integer(1))
        #expect(status == 200)
        bench = try stage(1)
        let list = try await bench.list()
        #expect(list["tab"].text == "1")
        #expect(list.titles == ["Ann Archer", "Ben Brook", "Cora Cole", "Dan Dale", "Unknown"])
        #expect(list.rows[4]["subtitle"].text == "Echo")
        #expect(list["sections"][4]["name"].text == "Unknown")
        let app = try await bench.get("/apps/1")
        #expect(app["lists"][0]["tabs"].all.map { $0["icon"].text } == ["name_icon.png", "secret_icon.png"])
    }

    @Test("deleting the last row of a section takes it along; a renamed hero moves (SAMPLE-02, APP-07)")
    func deletingLastRowOfSectionTakesItAlong() async throws {
        let bench = try stage(1)
        try await bench.fill()
        try await bench.save(.array([Steps.delete(try await bench.hero("Bolt"))]))
        let list = try await bench.list()
        #expect(list["sections"].all.map { $0["name"].text } == ["Alpha", "Cinder", "Dusk", "Echo"])
        try await bench.save(.array([Steps.set(try await bench.hero("Alpha"), key: "name", value: .string("Echo"))]))
        let moved = try await bench.list()
        #expect(moved["sections"].all.map { $0["count"].text } == ["1", "1", "2"])
        for id in moved.rows.map({ $0["id"].text }) { try await bench.save(.array([Steps.delete(id)])) }
        #expect(try await bench.list()["total"].text == "0")
    }

    @Test("the form has the rows of the list, with days in medium style (SAMPLE-03, APP-10, APP-17)")
    func formHasRowsOfList() async throws {
        let bench = try stage(2)
        try await bench.fill()
        let form = try await bench.form(bench.hero("Alpha"))
        let sections = form["sections"].all
        #expect(sections.map { $0["header"].text } == ["", "General"])
        #expect(sections.map { $0.rows.map { $0["label"].text } } == [["Name"], ["Identity", "Birthdate", "Sex"]])
        #expect(form.row("birthDate")["text"].text == "May 1, 1980")
        #expect(form.row("birthDate")["kind"].text == "date")
        #expect(form.row("sex")["choices"].all.map(\.text) == ["Male", "Female"])
        #expect(form.row("sex")["selected"].text == "1")
        #expect(form.row("name")["startsEmpty"].text == "false")
        let new = try await bench.form("Hero/new")
        #expect(new["title"].text == "New Hero")
        #expect(new.row("name")["value"].text == "Untitled Hero")
        #expect(new.row("name")["startsEmpty"].text == "true")
        #expect(try await bench.list()["total"].text == "5")
    }

    @Test("saving writes the fields of a new and of a stored hero; nothing else remains (SAMPLE-03, APP-22)")
    func savingWritesFieldsOfNewAndOfStoredHero() async throws {
        let bench = try stage(2)
        try await bench.enter([("name", .string("Zed")), ("birthDate", .string("2015-05-01"))], "Hero/new")
        let id = try await bench.hero("Zed")
        let stored = try await bench.form(id)
        #expect(stored.row("birthDate")["text"].text == "May 1, 2015")
        #expect(stored.row("secretIdentity")["text"].text == "Unknown")
        try await bench.enter([("sex", .string("Male")), ("birthDate", .null), ("name", .string("Zed"))], id)
        let changed = try await bench.form(id)
        #expect(changed.row("sex")["selected"].text == "0")
        #expect(changed.row("birthDate")["value"].isNull)
        let (status, answer) = try await bench.enter([("sex", .string("Robot"))], id)
        #expect(status == 422)
        #expect(answer["problems"][0]["key"].text == "sex")
        #expect(answer["steps"].all.isEmpty)
    }

    @Test("a store of version 1 under version 2 is refused with 134100, or migrated with its values (SAMPLE-04)")
    func storeOfVersion1UnderVersion2IsRefusedWith134100() async throws {
        do { try await stage(2).fill() }
        let copy = try TemporaryFolder()
        let app = copy.url.appendingPathComponent("App/Stage3")
        try FileManager.default.createDirectory(
            at: app.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: copy.url.appendingPathComponent("Sources"),
            withDestinationURL: AppBench.examples.appendingPathComponent("SuperDB/Sources"))
        try FileManager.default.copyItem(at: AppBench.examples.appendingPathComponent("SuperDB/App/Stage3"), to: app)
        var list = try PropertyListFile(at: app.appendingPathComponent("Application.plist"))
        try list.set(.boolean(false), at: PropertyListPath("migrate"))
        try list.write()
        let error = #expect(throws: InspectionError.self) {
            try AppBench(app: app, in: folder, classes: [SuperDBSample.Hero.self])
        }
        #expect(error?.code == .modelMismatch)
        #expect(error?.cause.contains("134100") == true)
        #expect(error?.hint?.contains("migrate") == true)
        let bench = try stage(4)
        let form = try await bench.form(bench.hero("Cinder"))
        #expect(form.row("birthDate")["text"].text == "Dec 31, 1990")
        #expect(form.row("favoriteColor")["value"].isNull)
        #expect(form.row("favoriteColor")["color"].all.map(\.text) == ["1.0", "1.0", "1.0", "1.0"])
    }

    @Test("age is shown in whole years and cannot be entered (SAMPLE-04, APP-20)")
    func ageIsShownInWholeYearsAndCannotBeEntered() async throws {
        let bench = try stage(4)
        try await bench.fill()
        let ages = ["Alpha": "35", "Bolt": "40", "Cinder": "24", "Dusk": "35", "Echo": ""]
        for (name, age) in ages {
            let row = try await bench.form(bench.hero(name)).row("age")
            #expect(row["text"].text == age, "\(name)")
            #expect(row["readOnly"].text == "true")
        }
        let (status, answer) = try await bench.enter([("age", .integer(5))], bench.hero("Bolt"))
        #expect(status == 422)
        #expect(answer["problems"][0]["key"].text == "age")
    }

    @Test("the rules of the model and of the class refuse with their codes (SAMPLE-04, APP-23)")
    func rulesOfModelAndOfClassRefuseWithTheirCodes() async throws {
        let bench = try stage(4)
        try await bench.fill()
        let id = try await bench.hero("Alpha")
        let cases: [(String, JSONValue, String)] = [
            ("birthDate", .string("2015-05-02"), "1000"), ("name", .string(""), "1670"), ("name", .null, "1570"),
        ]
        for (key, value, code) in cases {
            let body = JSONValue.object([("values", .object([(key, value)]))])
            for page in ["", "/check"] {
                let (_, answer) = try await bench.ask(
                    "POST", "/apps/1/forms/HeroDetailConfiguration/\(id)\(page)", body)
                #expect(answer["problems"][0]["code"].text == code, "\(JSONWriter.line(answer))")
                #expect(answer["problems"][0]["text"].text.hasPrefix("Validation error on: \(key)\nFailure Reason: "))
            }
        }
        #expect(try await bench.form(id).row("name")["value"].text == "Alpha")
        let (status, _) = try await bench.enter([("birthDate", .null)], id)
        #expect(status == 200)
    }

    @Test("the either-or rule holds for new and stored heroes, after the single rules (SAMPLE-04)")
    func eitherOr() async throws {
        let bench = try stage(2)
        try await bench.fill()
        for id in ["Hero/new", try await bench.hero("Alpha")] {
            let (status, answer) = try await bench.enter([("name", .string("")), ("secretIdentity", .string(""))], id)
            #expect(status == 422)
            #expect(answer["problems"].all.map { $0["code"].text } == ["1001"])
            #expect(answer["problems"][0]["domain"].text == SuperDBSample.Hero.ruleDomain)
        }
    }

    @Test(
        "a colour is stored as text and comes back equal after a restart; a grey has four components (SAMPLE-04, APP-19)"
    )
    func colourIsStoredAsTextAndComesBackEqualAfterRestart() async throws {
        var bench = try stage(4)
        let new = try await bench.form("Hero/new")
        #expect(new.row("favoriteColor")["value"].all.map(\.text) == ["1.0", "1.0", "1.0", "1.0"])
        let color = JSONValue.array([0.25, 0.5, 0.75, 1].map { .real($0) })
        try await bench.enter([("name", .string("Zed")), ("favoriteColor", color)], "Hero/new")
        let id = try await bench.hero("Zed")
        bench = try stage(4)
        let stored = try await bench.form(id).row("favoriteColor")
        #expect(stored["value"].all.map(\.text) == ["0.25", "0.5", "0.75", "1.0"])
        let files = ["SuperDB.sqlite", "SuperDB.sqlite-wal"].compactMap {
            try? Data(contentsOf: folder.url.appendingPathComponent($0))
        }
        let bytes = Data("0.250000,0.500000,0.750000,1.000000".utf8)
        let isStored = files.contains { $0.range(of: bytes) != nil }
        #expect(isStored)
        try await bench.enter([("favoriteColor", .array([.real(0.5), .real(1)]))], id)
        #expect(try await bench.form(id).row("favoriteColor")["value"].all.map(\.text) == ["0.5", "0.5", "0.5", "1.0"])
        let (status, _) = try await bench.enter([("favoriteColor", .array([.real(2), .real(1)]))], id)
        #expect(status == 422)
    }
}
