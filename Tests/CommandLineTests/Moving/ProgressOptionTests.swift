import Foundation
import Testing

@Suite struct ProgressOptionTests {
    /// The objects of JSON that are lines of a text.
    private func objects(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").filter { $0.hasPrefix("{") }.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test("progress is reported as JSON on standard error, with the end and how it came (CONC-06)")
    func json() throws {
        let gallery = try Gallery()
        let file = gallery.file("Work.jsonl")
        try Data("{\"code\": \"P1\"}\n".utf8).write(to: file)
        let outcome = try gallery.run("import", gallery.store.path, file.path, "--entity", "Work", "--progress", "json")
        #expect(outcome.code == 0 && outcome.output.contains("1 inserted"), "\(outcome.output)\(outcome.errors)")
        let last = try #require(try objects(outcome.errors).last)
        #expect(last["title"] as? String == "importing" && last["state"] as? String == "finished", "\(last)")
        #expect(last["total"] as? Int == 15 && last["completed"] as? Int == 15, "\(last)")
        #expect(last["fraction"] as? Double == 1, "\(last)")
        try Data("{\"code\": \"P1\", \"real\": \"x\"}\n<".utf8).write(to: file)
        let failed = try gallery.run("import", gallery.store.path, file.path, "--entity", "Work", "--progress", "json")
        #expect(failed.code == 1)
        #expect(try objects(failed.errors).last?["state"] as? String == "failed", "\(failed.errors)")
    }

    @Test("without a terminal nothing is shown, and what is shown can be turned off (CONC-06)")
    func silence() throws {
        let gallery = try Gallery()
        let copy = gallery.file("Copy.sqlite").path
        #expect(try gallery.run("copy", gallery.store.path, copy, "--no-progress").errors == "")
        let export = gallery.file("all.jsonl").path
        #expect(try gallery.run("export", gallery.store.path, "-o", export).errors == "")
        let check = try gallery.run("check", gallery.store.path, "--progress", "json")
        #expect(try objects(check.errors).map { $0["title"] as? String } == ["checking"], "\(check.errors)")
        let wrong = try gallery.run("check", gallery.store.path, "--progress", "bar")
        #expect(wrong.code != 0 && wrong.errors.contains("--progress"))
    }
}
