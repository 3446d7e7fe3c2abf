import CoreData
import Foundation
import TestBasics
import Testing

@testable import CoreDataBrowser

/// Property lists that nobody should trust.
@Suite("Bad lists of applications", .serialized)
struct BadListTests {
    private let folder: TemporaryFolder
    private let app: URL

    init() throws {
        folder = try TemporaryFolder()
        app = folder.url.appendingPathComponent("App")
        try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: AppBench.examples.appendingPathComponent("SuperDB/Sources/Model/SuperDB.xcdatamodeld"),
            to: app.appendingPathComponent("SuperDB.xcdatamodeld"))
    }

    private func write(_ list: PropertyList, _ name: String = "Application") throws {
        try list.binaryData.write(to: app.appendingPathComponent(name + ".plist"))
    }

    private func application(_ more: [String: PropertyList]) -> PropertyList {
        let own: [String: PropertyList] = [
            "title": .string("Bad"), "model": .string("SuperDB.xcdatamodeld"), "store": .string("Bad.sqlite"),
        ]
        return .dictionary(own.merging(more) { $1 })
    }

    private func refused() -> InspectionError? {
        #expect(throws: InspectionError.self) { try AppBench(app: app, in: folder) }
    }

    @Test("a folder without a list, without a model or without a store is refused with the reason (HAZ-24)")
    func missingParts() throws {
        #expect(refused()?.cause == "there is no such file")
        let missing = folder.url.appendingPathComponent("Missing")
        let error = #expect(throws: InspectionError.self) { try AppBench(app: missing, in: folder) }
        #expect(error?.cause == "there is no such folder" && error?.subject == missing.path)
        try write(.array([]))
        #expect(refused()?.cause == "its root is not a dictionary")
        try write(application(["model": .string("")]))
        #expect(refused()?.cause == "it names no model")
        try write(application(["model": .string("Other.momd")]))
        #expect(refused()?.cause == "there is no such model beside Application.plist")
        try write(application(["modelVersion": .string("SuperDB 9")]))
        #expect(refused()?.cause == "it has no version 'SuperDB 9'")
        try write(application(["store": .integer(5)]))
        #expect(refused()?.cause == "it names no store")
        try Data("bplist00 and nothing else".utf8).write(to: app.appendingPathComponent("Application.plist"))
        #expect(refused()?.code == .unreadable)
        try Data(String(repeating: "<array>", count: 100_000).utf8).write(
            to: app.appendingPathComponent("Application.plist"))
        #expect(refused()?.code == .unreadable)
    }

    @Test(
        "no name leads out of the folder (HAZ-24)",
        arguments: ["../Other.sqlite", "/tmp/x.sqlite", "a/../../x", "", ".", "link/x", "dangling"])
    func noNameLeadsOutOfFolder(_ name: String) throws {
        try FileManager.default.createSymbolicLink(
            at: app.appendingPathComponent("link"), withDestinationURL: folder.url)
        try FileManager.default.createSymbolicLink(
            at: app.appendingPathComponent("dangling"),
            withDestinationURL: folder.url.appendingPathComponent("not/there"))
        let files = try AppFolder(url: app)
        #expect(throws: InspectionError.self) { try files.file(name) }
        #expect(throws: InspectionError.self) { try files.model("/etc/passwd") }
        #expect(throws: InspectionError.self) { try files.model("../App/Application.plist") }
    }

    @Test("a key that cannot be followed is reported with its place, and the rest is shown (APP-12)")
    func brokenKeysAreReportedWithTheirPlace() async throws {
        let tab = PropertyList.dictionary([
            "title": .string("T"), "titleKey": .string("nme"), "sectionBy": .string("weight"),
            "sort": .array([
                .dictionary(["key": .string("name"), "comparison": .string("weekCompare:")]),
                .dictionary(["key": .string("age")]), .dictionary(["key": .string("powers.name")]),
            ]),
        ])
        let list = PropertyList.dictionary([
            "entity": .string("Hero"), "tabs": .array([tab, .integer(3)]), "detail": .string("Missing"),
            "add": .string("perhaps"), "batchSize": .integer(-1), "predicate": .string("nobody == 'x'"),
            "search": .dictionary([
                "keys": .array([.string("name"), .string("favoriteColor")]),
                "scopes": .array([.dictionary(["title": .string("Bad"), "predicate": .string("name ==")])]),
            ]),
        ])
        try write(
            application([
                "lists": .array([list, .dictionary(["entity": .string("Heroe")]), .string("x")]),
                "storeType": .string("Cloud"),
            ]))
        let bench = try AppBench(app: app, in: folder)
        let places = Set(bench.app.problems.map(\.place))
        let expected: Set = [
            "storeType", "lists.2", "lists.1.entity", "lists.0.tabs.1", "lists.0.tabs.0.titleKey",
            "lists.0.tabs.0.sectionBy", "lists.0.tabs.0.sort.0.comparison", "lists.0.tabs.0.sort.1.key",
            "lists.0.tabs.0.sort.2.key", "lists.0.add", "lists.0.batchSize", "lists.0.predicate",
            "lists.0.search.keys", "lists.0.search.scopes.0.predicate",
        ]
        #expect(expected.subtracting(places) == [])
        try await bench.fill()
        let shown = try await bench.list("?search=ALPH")
        #expect(shown.titles == ["Alpha"])
        #expect(shown.rows[0]["form"].text == "model")
        let form = try await bench.get("/apps/1/forms/model/\(shown.rows[0]["id"].text)")
        #expect(form.row("name")["value"].text == "Alpha")
    }

    @Test("a tab's icon that is not a PNG file of the folder is a problem with its place (APP-12)")
    func missingIcon() async throws {
        let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        try png.write(to: app.appendingPathComponent("there.png"))
        try Data("text".utf8).write(to: app.appendingPathComponent("text.png"))
        let tabs = ["there", "there.png", "text.png", "missing.png"].map { icon in
            PropertyList.dictionary([
                "title": .string(icon), "titleKey": .string("name"), "icon": .string(icon),
                "sort": .array([.dictionary(["key": .string("name")])]),
            ])
        }
        try write(
            application(["lists": .array([.dictionary(["entity": .string("Hero"), "tabs": .array(tabs)])])]))
        let bench = try AppBench(app: app, in: folder)
        let problems = bench.app.problems.filter { $0.place.hasSuffix(".icon") }
        #expect(problems.map(\.place) == ["lists.0.tabs.2.icon", "lists.0.tabs.3.icon"])
        #expect(problems.last?.text.contains("'missing.png'") == true)
        #expect(bench.app.folder.picture("there") == png && bench.app.folder.picture("there.png") == png)
        #expect(try await bench.ask("GET", "/apps/1/icons/text.png").0 == 404)
    }

    @Test("calls that name what is not there are answered with 404 or 422 (HAZ-24)")
    func callsThatNameWhatIsNotThereAreAnsweredWith404Or422() async throws {
        try write(application([:]))
        let bench = try AppBench(app: app, in: folder)
        try await bench.fill()
        let calls: [(String, Int)] = [
            ("/apps/2", 404), ("/apps/1/lists/9", 404), ("/apps/1/lists/x", 404), ("/apps/1/lists/0?tab=9", 404),
            ("/apps/1/lists/0?scope=1", 200), ("/apps/1/lists/0?offset=-1", 400), ("/apps/1/lists/0?offset=99", 200),
            ("/apps/1/forms/Nope/Hero/p1", 404), ("/apps/1/forms/model/Hero/p99", 404),
            ("/apps/1/forms/model/Hero/q1", 404), ("/apps/1/forms/model/Villain/new", 404),
            ("/apps/1/reports/Hero/p1/name", 404), ("/apps/1/reports/Hero/p1/olderHeroes?sort=age", 422),
            ("/apps/1/icons/Application.plist", 404), ("/apps/1/icons/..%2Fx.png", 404),
            ("/apps/1/forms/model/Power/new?owner=Hero/p1&relationship=name", 422),
        ]
        for (target, status) in calls {
            let (answered, body) = try await bench.ask("GET", target)
            #expect(answered == status, "\(target): \(JSONWriter.line(body))")
        }
        let (status, _) = try await bench.ask("PUT", "/apps/1/defaults/x", .array([.null]))
        #expect(status == 422)
    }
}
