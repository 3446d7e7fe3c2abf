import Foundation
import Testing

@testable import coredata

/// Every command that reads a store, and every one that says what it would do, on stores whose log no process has open.
@Suite struct EveryReadingTests {
    /// Commands that change a store whenever they do anything, and those that take none.
    private static let others: Set<[String]> = Set(
        [
            "backup", "vacuum", "defaults", "plist", "instruments", "model versions", "model test-migrations",
            "model create",
            "model options", "model add", "model set", "model rename", "model move", "model remove", "model copy",
            "model paste", "model edit", "compile", "generate", "port", "lint", "strings", "init", "doctor", "manual",
            "completions", "subscribe", "unsubscribe", "refresh", "account add", "account list", "account remove",
            "sync init", "sync now", "sync fetch", "sync status", "sync why", "sync conflicts", "sync contents",
            "sync compact", "sync doctor", "sync peers", "sync forget", "sync serve", "sync admit",
            "sync pair", "sync run", "sync account", "library scan", "library list", "library playlists",
            "library playlist", "library player",
        ].map { $0.split(separator: " ").map(String.init) })

    /// Words for commands; `out` is a folder for what is written, which has a model and a file to import.
    private static func readings(_ store: String, _ entity: String, _ out: String) -> [[String]] {
        let object = "\(entity)/p1"
        return [
            ["inspect", store, "--tables"], ["fetch", store, entity], ["fetch", store, entity, "--raw"],
            ["fetch", store, entity, "--search", "x"], ["explain", store, entity],
            ["sql", store, "SELECT count(*) FROM Z\(entity.uppercased())"], ["sql", store, "--schema"],
            ["chart", store, entity, "--group", "title"], ["map", store, entity], ["kinds", store],
            ["get", store, object],
            ["subscriptions", store], ["export", store], ["compare", store, store],
            ["copy", store, "\(out)/copy.sqlite"],
            ["copy", store, "\(out)/copy.xml"], ["copy", store, "\(out)/copy.binary"], ["history", store],
            ["check", store], ["recover", store, "-o", "\(out)/recovered.sqlite"], ["reset", store, "--dry-run"],
            ["insert", store, entity, "title=x", "--dry-run"], ["set", store, object, "title=x", "--dry-run"],
            ["delete", store, object, "--dry-run"],
            ["import", store, "\(out)/rows.csv", "--entity", entity, "--dry-run"],
            ["import", store, "\(out)/rows.csv", "--entity", entity, "--guess"],
            ["migrate", store, "--to", "\(out)/own.xcdatamodel"],
            ["migrate", store, "--to", "\(out)/own.xcdatamodel", "--plan"],
            ["migrate", store, "--to", "\(out)/own.xcdatamodel", "--dry-run"],
            ["model", "show", store], ["model", "hash", store], ["model", "check", store],
            ["model", "diff", store, store], ["model", "graph", store, "-o", "\(out)/graph.svg"],
            ["model", "convert", store, "\(out)/other.xcdatamodel"], ["browse", store, "--print", "/stores/1"],
            ["browse", store, "--print", "/stores/1/entities/\(entity)"],
        ]
    }

    private func expectNoTrace(of store: URL, _ entity: String, _ further: [[String]] = [], refused: [String]) throws {
        let out = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: out) }
        let model = out.appendingPathComponent("own.xcdatamodel").path
        #expect(try Tool.run("model", "convert", store.path, model).code == 0)
        try Data("title\nnew\n".utf8).write(to: out.appendingPathComponent("rows.csv"))
        let before = try FolderState(around: store)
        let lines = Self.readings(store.path, entity, out.path) + further
        for words in lines {
            let outcome = try Tool.run(words, environment: ["XDG_STATE_HOME": out.path])
            #expect(outcome.code == (refused.contains(words[0]) ? 1 : 0), "\(words): \(outcome.errors)")
            #expect(try FolderState(around: store) == before, "\(words)")
        }
        // Who adds a command adds it to one of the lists.
        let commands = CommandList.all.map(\.name)
        let read = Set(lines.compactMap { words in commands.first { words.starts(with: $0) } })
        #expect(read.isDisjoint(with: Self.others) && read.union(Self.others) == Set(commands))
    }

    @Test("no command that reads leaves a file beside a store or changes it (BRW-14, HAZ-08)")
    func noCommandThatReadsLeavesFileBesideStoreOrChanges() throws {
        let library = try Library()
        defer { library.remove() }
        let (store, package) = (library.store.path, library.package.path)
        try expectNoTrace(
            of: library.store, "Book",
            ["--plan", "--sql", "--dry-run"].map { ["migrate", store, "--to", package, $0] },
            refused: ["map", "history"])
    }

    @Test("no command that reads leaves a file beside a store with history or changes it (BRW-14, HAZ-08)")
    func noCommandThatReadsLeavesFileBesideStoreWithHistory() throws {
        let diary = try Diary()
        defer { diary.remove() }
        try expectNoTrace(
            of: diary.store, "Note", [["history", diary.store.path, "--transaction", "2"]], refused: ["map"])
    }
}
