import Foundation
import TestBasics
import Testing

@Suite struct ExportFormTests {
    @Test("the end of the file's name says the form, unless --to does (TOOL-17)")
    func nameOfFileSaysForm() throws {
        let gallery = try Gallery()
        let json = gallery.file("rooms.json")
        #expect(try gallery.run("export", gallery.store.path, "Room", "-o", json.path).code == 0)
        let objects = try JSONSerialization.jsonObject(with: Data(contentsOf: json)) as? [[String: Any]]
        #expect(objects?.count == 3)
        #expect(objects?.allSatisfy { $0["entity"] as? String == "Room" } == true)

        let lines = gallery.file("rooms.JSONL")
        #expect(try gallery.run("export", gallery.store.path, "Room", "-o", lines.path).code == 0)
        let count = try String(contentsOf: lines, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("{") }
            .count
        #expect(count == 3)

        let table = gallery.file("rooms.csv")
        #expect(try gallery.run("export", gallery.store.path, "Room", "-o", table.path).code == 0)
        #expect(try String(contentsOf: table, encoding: .utf8).hasPrefix("objectID,entity,"))

        #expect(try gallery.run("export", gallery.store.path, "Room", "--to", "jsonl", "-o", json.path).code == 0)
        #expect(try String(contentsOf: json, encoding: .utf8).hasPrefix("{"))
    }

    @Test("tables of several entities are refused for one file, which is not made (TOOL-17)")
    func oneFileForSeveralTablesIsRefused() throws {
        let gallery = try Gallery()
        let table = gallery.file("all.csv")
        let outcome = try gallery.run("export", gallery.store.path, "-o", table.path)
        #expect(outcome.code == 2, "\(outcome.errors)")
        #expect(
            outcome.errors.contains(
                "one file takes the table of one entity (name the entity, or give --to csv -o FOLDER)"))
        #expect(!FileManager.default.fileExists(atPath: table.path))
    }
}
