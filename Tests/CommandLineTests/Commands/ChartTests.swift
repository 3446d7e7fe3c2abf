import CoreData
import Testing

@Suite struct ChartTests {
    private func chart(_ library: Library, _ arguments: String...) throws -> Tool.Outcome {
        try Tool.run(["chart", library.store.path, "Book"] + arguments + library.model)
    }

    @Test("the command prints groups as a table, csv, json and a drawing, and leaves the store as it is (BRW-45)")
    func commandPrintsGroupsAsTable() throws {
        let library = try Library()
        defer { library.remove() }
        let before = try FolderState(around: library.store)
        let question = [
            "--where", "title BEGINSWITH 'Book'", "--group", "author.name", "--aggregate", "count", "--aggregate",
            "sum:pages",
        ]
        let table = try Tool.run(["chart", library.store.path, "Book"] + question + library.model)
        #expect(table.code == 0 && table.errors == "", "\(table.errors)")
        let lines = table.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(
            lines == ["author.name count sum_pages", "----------- ----- ---------", "Ann Able 2 300", "nil 1 300"],
            "\(table.output)")
        let csv = try Tool.run(["chart", library.store.path, "Book", "--format", "csv"] + question + library.model)
        #expect(csv.output == "author.name,count,sum_pages\r\nAnn Able,2,300\r\n,1,300\r\n")
        let json: [String: Any] = try Tool.run(
            ["chart", library.store.path, "Book", "--format", "json", "--limit", "1"] + question + library.model
        ).json()
        #expect(json["complete"] as? Bool == false && (json["rows"] as? [[Any]])?.count == 1)
        let file = library.folder.appendingPathComponent("chart.svg")
        let drawn = try Tool.run(["chart", library.store.path, "Book", "-o", file.path] + question + library.model)
        #expect(drawn.code == 0 && drawn.output == "")
        #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("<svg xmlns="))
        try FileManager.default.removeItem(at: file)
        #expect(try FolderState(around: library.store) == before)
    }

    @Test("what the command refuses it says in one line (BRW-45)")
    func whatCommandRefusesItSaysInOneLine() throws {
        let library = try Library()
        defer { library.remove() }
        expectRefusal(try chart(library, "--group", "titel"), containing: "did you mean 'title'?")
        expectRefusal(try chart(library, "--aggregate", "sum:title"), containing: "needs a number")
        expectRefusal(
            try chart(library, "--group", "title", "--kind", "table", "--format", "svg"),
            containing: "a table is not a drawing")
        let having = try chart(library, "--group", "title", "--having", "count >")
        #expect(having.code == 1 && having.errors.contains("at character"))
        #expect(try chart(library, "--kind", "pie").code == 2)
        #expect(try chart(library, "--limit", "0").code == 2)
    }
}
