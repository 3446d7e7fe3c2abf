import CoreData
import CoreDataSyncing
import Foundation
import Synchronization
import TestBasics
import Testing

@testable import CoreDataBrowser
@testable import SuperDBSample

/// SuperDB's sixth stage by property lists: two devices with one account.
@Suite("SuperDB synchronized by property lists", .serialized, .timeLimit(.minutes(3)))
final class SuperDBSyncTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        SyncAccount.settingsFolder.withLock { [folder] in $0 = folder.url.appendingPathComponent("settings") }
    }

    deinit { SyncAccount.settingsFolder.withLock { $0 = nil } }

    private func device() throws -> (AppBench, TemporaryFolder) {
        let own = try TemporaryFolder()
        return (try AppBench("SuperDB/App/Stage6", in: own, classes: [SuperDBSample.Hero.self]), own)
    }

    private func becomes(_ bench: AppBench, _ titles: [String]) async throws {
        while try await bench.list().titles != titles { try await Task.sleep(for: .milliseconds(50)) }
    }

    @Test("a hero that is saved, renamed or deleted on one device is so on the other (SAMPLE-06)")
    func heroTravels() async throws {
        try SyncAccount.signIn(folder.url.appendingPathComponent("Shared"))
        let (a, folderA) = try device()
        let (b, folderB) = try device()
        defer { withExtendedLifetime((folderA, folderB)) {} }
        #expect(a.app.problems == [])
        #expect(
            FileManager.default.fileExists(atPath: a.folder.appendingPathComponent("Data.nosync/SuperDB.sqlite").path))
        try await a.fill()
        let names = ["Alpha", "Bolt", "Cinder", "Dusk", "Echo"]
        try await becomes(b, names)
        try await a.save(.array([Steps.set(try await a.hero("Alpha"), key: "name", value: .string("Omega"))]))
        try await becomes(b, ["Bolt", "Cinder", "Dusk", "Echo", "Omega"])
        let form = try await b.form(b.hero("Omega"))
        #expect(form.row("birthDate")["text"].text == "May 1, 1980")
        // What the other device deletes is gone here as well.
        try await b.save(.array([Steps.delete(try await b.hero("Bolt"))]))
        try await becomes(a, ["Cinder", "Dusk", "Echo", "Omega"])
    }

    @Test("rows of kinds add a photograph, a place and an address to write to, by the lists alone (APP-39)")
    func kindsOfValues() async throws {
        let own = try TemporaryFolder()
        let bench = try AppBench("SuperDB/App/Stage7", in: own, classes: [SuperDBSample.Hero.self])
        #expect(bench.app.problems == [])
        try await bench.fill()
        let hero = try await bench.hero("Alpha")
        let (status, answer) = try await bench.enter(
            [("homeLatitude", .string("48.1372, 11.5755")), ("mailAddress", .string("alpha@example.org"))], hero)
        #expect(status == 200, "\(JSONWriter.line(answer))")
        let form = try await bench.form(hero)
        #expect(form["problems"].all.isEmpty)
        #expect(form.row("photograph")["kind"].text == "image")
        #expect(JSONWriter.line(form.row("homeLatitude")).contains("11.5755"))
        #expect(JSONWriter.line(form.row("mailAddress")).contains("mailto:alpha@example.org"))
        // What is shown is taken back as it is, and an empty field empties both.
        let shown = form.row("homeLatitude")["value"].text
        #expect(try await bench.enter([("homeLatitude", .string(shown))], hero).0 == 200)
        #expect(try await bench.enter([("homeLatitude", .string("91, 0"))], hero).0 == 422)
        #expect(try await bench.form(hero).row("homeLatitude")["value"].text == shown)
        #expect(try await bench.enter([("homeLatitude", .string(""))], hero).0 == 200)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = bench.app.store.opened.coordinator
        let longitudes = try await context.perform {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Hero")).compactMap {
                $0.value(forKey: "homeLongitude")
            }
        }
        #expect(longitudes.isEmpty)
    }

    @Test(
        "without an account it is a local store; wrong values of 'sync' are problems, and the rest works (SAMPLE-06, SYNC-07)"
    )
    func localAndWrong() async throws {
        let (local, folderA) = try device()
        defer { withExtendedLifetime(folderA) {} }
        #expect(local.app.problems == [])
        try await local.fill()
        #expect(try await local.list().titles.count == 5)
        let copy = folder.url.appendingPathComponent("App")
        try FileManager.default.copyItem(at: AppBench.examples.appendingPathComponent("SuperDB/App/Stage6"), to: copy)
        let models = folder.url.appendingPathComponent("SuperDB.xcdatamodeld")
        try FileManager.default.copyItem(
            at: AppBench.examples.appendingPathComponent("SuperDB/Sources/Model/SuperDB.xcdatamodeld"), to: models)
        let file = copy.appendingPathComponent("Application.plist")
        let text = try String(contentsOf: file, encoding: .utf8)
            .replacingOccurrences(of: "../../Sources/Model/SuperDB.xcdatamodeld", with: "../SuperDB.xcdatamodeld")
        for (right, wrong, place) in [
            ("<string>iCloud~com~ozapps~SuperDB</string>", "<string>../else</string>", "sync.name"),
            ("<string>Logs</string>", "<string>../../Logs</string>", "sync.folder"),
        ] {
            try text.replacingOccurrences(of: right, with: wrong).write(to: file, atomically: true, encoding: .utf8)
            let own = try TemporaryFolder()
            let bench = try AppBench(app: copy, in: own, classes: [SuperDBSample.Hero.self])
            #expect(bench.app.problems.map(\.place) == [place])
            try await bench.fill()
            #expect(try await bench.list().titles.count == 5)
        }
    }
}
