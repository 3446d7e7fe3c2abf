import CoreData
import Testing

@Suite struct SQLTests {
    private func sql(_ library: Library, _ arguments: String...) throws -> Tool.Outcome {
        try Tool.run(["sql", library.store.path] + arguments)
    }

    @Test("the command prints rows in all forms, and leaves the store as it is (BRW-46)")
    func commandPrintsRowsInAllForms() throws {
        let library = try Library()
        defer { library.remove() }
        let before = try FolderState(around: library.store)
        let select = "SELECT ZTITLE, ZPAGES, NULL AS none FROM ZBOOK WHERE ZPAGES >= :least ORDER BY ZPAGES"
        let table = try sql(library, select, "--parameter", "least=200")
        #expect(table.code == 0 && table.errors == "", "\(table.errors)")
        let lines = table.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(
            lines == ["ZTITLE ZPAGES none", "------ ------ ----", "Book 2 200 nil", "Book 3 300 nil"], "\(table.output)"
        )
        let csv = try sql(library, select, "--parameter", ":least=200", "--format", "csv")
        #expect(csv.output == "ZTITLE,ZPAGES,none\r\nBook 2,200,\r\nBook 3,300,\r\n")
        let lined = try sql(library, select, "--parameter", "least=300", "--format", "jsonl")
        #expect(lined.output == "{\"ZTITLE\":\"Book 3\",\"ZPAGES\":300,\"none\":null}\n")
        let json: [String: Any] = try sql(library, select, "--parameter", "least=0", "--format", "json", "--limit", "2")
            .json()
        #expect(json["complete"] as? Bool == false && json["stopped"] as? String == "rows")
        #expect((json["rows"] as? [[Any]])?.count == 2)
        let column = try #require((json["columns"] as? [[String: Any]])?.first)
        #expect(column["entity"] as? String == "Book" && column["property"] as? String == "title")
        #expect(try FolderState(around: library.store) == before)
    }

    @Test("dates stand beside their numbers, and the schema is printed (BRW-46)")
    func datesAndSchema() throws {
        let library = try Library()
        defer { library.remove() }
        let dates = try sql(library, "SELECT ZBORN FROM ZAUTHOR")
        #expect(dates.output.contains("0.25 (2001-01-01T00:00:00.250Z)"), "\(dates.output)")
        let schema = try sql(library, "--schema")
        #expect(schema.output.contains("Author.born, a date: seconds since 2001"), "\(schema.output)")
        let json: [String: Any] = try sql(library, "--schema", "--format", "json").json()
        #expect((json["tables"] as? [[String: Any]])?.contains { $0["entity"] as? String == "Book" } == true)
    }

    @Test("what the command refuses it says in one line, with the place (BRW-46)")
    func whatCommandRefusesItSaysInOneLine() throws {
        let library = try Library()
        defer { library.remove() }
        let before = try FolderState(around: library.store)
        expectRefusal(
            try sql(library, "DELETE FROM ZBOOK"), containing: "the statement would delete from ZBOOK", "only reads")
        let place = try sql(library, "SELECT ZTITEL FROM ZBOOK")
        #expect(place.code == 1 && place.errorLines.count == 3, "\(place.errors)")
        #expect(place.errors.contains("at character 8: no such column: ZTITEL") && place.errorLines[2] == "         ^")
        #expect(try sql(library).code == 2)
        #expect(try sql(library, "SELECT 1", "--limit", "0").code == 2)
        #expect(try sql(library, "SELECT 1", "--timeout", "never").code == 2)
        #expect(try sql(library, "SELECT :a", "--parameter", "a").code == 2)
        let endless = try sql(
            library, "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c",
            "--timeout", "0.3")
        #expect(endless.code == 0 && endless.errors.contains("the time is up"), "\(endless.errors)")
        #expect(try FolderState(around: library.store) == before)
    }
}
