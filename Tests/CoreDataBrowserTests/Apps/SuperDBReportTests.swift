import CoreData
import Foundation
import StoreContract
import TestBasics
import Testing

@testable import CoreDataBrowser
@testable import SuperDBSample

/// SuperDB's last stage: powers and reports.
@Suite("SuperDB's powers and reports", .serialized)
struct SuperDBReportTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func stage(_ number: Int) throws -> AppBench {
        try AppBench("SuperDB/App/Stage\(number)", in: folder, classes: [SuperDBSample.Hero.self])
    }

    @Test("powers are added, sorted by name, and go with their row (SAMPLE-05, APP-24, APP-25, APP-26)")
    func powersAreAddedSortedByName() async throws {
        let bench = try stage(5)
        try await bench.fill()
        let id = try await bench.hero("Alpha")
        let empty = try await bench.form(id)
        #expect(empty["sections"].all.map { $0.rows.count } == [1, 5, 0, 4])
        let section = empty["sections"][2]
        #expect(section["addLabel"].text == "Add New Power…")
        #expect(section["addTitle"].text == "New Power")
        #expect(section["addForm"].text == "PowerViewConfiguration")
        let new = "Power/new?owner=\(id)&relationship=powers"
        let form = try await bench.get("/apps/1/forms/PowerViewConfiguration/\(new)")
        #expect(form["title"].text == "New Power")
        #expect(form["sections"].all.map { $0["header"].text } == ["", ""])
        // What is not saved leaves nothing.
        #expect(try await bench.form(id)["sections"][2].rows.isEmpty)
        for name in ["Strength", "Flight", "Heat"] {
            try await bench.enter([("name", .string(name))], form: "PowerViewConfiguration", new)
        }
        let rows = try await bench.form(id)["sections"][2].rows
        #expect(rows.map { $0["text"].text } == ["Flight", "Heat", "Strength"])
        try await bench.save(rows[1]["remove"])
        let left = try await bench.form(id)["sections"][2].rows
        #expect(left.map { $0["object"].text } == [rows[0]["object"].text, rows[2]["object"].text])
        let gone = try await bench.ask("GET", "/apps/1/forms/PowerViewConfiguration/\(rows[1]["object"].text)")
        #expect(gone.0 == 404)
        try await bench.save(.array([Steps.delete(id)]))
        let deleted = try await bench.ask("GET", "/apps/1/forms/PowerViewConfiguration/\(rows[0]["object"].text)")
        #expect(deleted.0 == 404)
    }

    @Test("the reports are those of the fixture, and current at each opening (SAMPLE-05, APP-27, APP-28)")
    func reportsAreThoseOfFixture() async throws {
        let bench = try stage(5)
        try await bench.fill()
        for row in SuperDB.rows {
            let id = try await bench.hero(row.name)
            let form = try await bench.form(id)
            let reports = form["sections"][3].rows
            #expect(
                reports.map { $0["text"].text } == [
                    "Older Heroes", "Younger Heroes", "Same Sex Heroes", "Opposite Sex Heroes",
                ])
            let expected = [row.older, row.younger, row.sameSex, row.oppositeSex]
            for (report, names) in zip(reports, expected) {
                let answer = try await bench.get("/apps/1/reports/\(id)/\(report["key"].text)")
                #expect(answer.titles == names, "\(row.name) \(report["key"].text)")
            }
        }
        let bolt = try await bench.hero("Bolt")
        try await bench.enter([("sex", .string("Male"))], bench.hero("Echo"))
        let same = try await bench.get("/apps/1/reports/\(bolt)/sameSexHeroes?sort=-name")
        #expect(same.titles == ["Echo", "Dusk"])
        #expect(same.rows[0]["subtitle"].text == "Unknown")
    }

    @Test("a hundred forms and reports after each other lead on (SAMPLE-05, APP-29)")
    func drillDown() async throws {
        let bench = try stage(5)
        try await bench.fill()
        var id = try await bench.hero("Alpha")
        for _ in 0..<100 {
            let report = try await bench.get("/apps/1/reports/\(id)/oppositeSexHeroes")
            let row = report.rows[0]
            #expect(row["opens"].text == "form")
            id = row["id"].text
            let form = try await bench.get("/apps/1/forms/\(row["form"].text)/\(id)")
            #expect(form["label"].text == row["title"].text)
        }
    }

    @Test("stores of all versions open under the last (SAMPLE-05)", arguments: [1, 3, 5])
    func storesOfAllVersionsOpenUnderLast(_ first: Int) async throws {
        // Migrating wants the store closed, so the first browser has to go.
        do { try await stage(first).fill() }
        let bench = try stage(5)
        #expect(try await bench.list().titles == ["Alpha", "Bolt", "Cinder", "Dusk", "Echo"])
        let form = try await bench.form(bench.hero("Bolt"))
        #expect(form["sections"][2]["total"].text == "0")
        #expect(form.row("age")["text"].text == "40")
    }

    @Test("a program without the class shows plain objects, and says which class it lacks (SAMPLE-05, APP-26)")
    func withoutClass() async throws {
        let bench = try AppBench(app: try copyWithForeignClass(), in: folder)
        try await bench.fill()
        let texts = try await bench.get("/apps/1")["problems"].all.map { $0["text"].text }
        let lacks = texts.contains { $0.contains("'HeroOfNoProgram'") }
        #expect(lacks, "\(texts)")
        let form = try await bench.form(bench.hero("Bolt"))
        #expect(form.row("age")["value"].isNull)
        #expect(form.row("name")["value"].text == "Bolt")
    }

    /// A copy of the last stage whose model names a class that no program has: other tests make 'Hero' known to all.
    private func copyWithForeignClass() throws -> URL {
        let (files, source) = (FileManager.default, AppBench.examples.appendingPathComponent("SuperDB"))
        let copy = folder.url.appendingPathComponent("SuperDB")
        for part in ["App/Stage5", "Sources/Model/SuperDB.xcdatamodeld"] {
            let target = copy.appendingPathComponent(part)
            try files.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            try files.copyItem(at: source.appendingPathComponent(part), to: target)
        }
        let contents = copy.appendingPathComponent("Sources/Model/SuperDB.xcdatamodeld/SuperDB 3.xcdatamodel/contents")
        let text = try String(contentsOf: contents, encoding: .utf8)
        let changed = text.replacingOccurrences(
            of: "representedClassName=\"Hero\"", with: "representedClassName=\"HeroOfNoProgram\"")
        try #require(changed != text)
        try changed.write(to: contents, atomically: true, encoding: .utf8)
        return copy.appendingPathComponent("App/Stage5")
    }
}
