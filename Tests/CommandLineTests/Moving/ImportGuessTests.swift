import CoreData
import Testing

@Suite struct ImportGuessTests {
    @Test("columns are taken for the properties of their names, and nothing is imported meanwhile (BRW-48, BRW-51)")
    func columnsAreTakenForPropertiesOfTheirNames() throws {
        let gallery = try Gallery()
        let file = gallery.file("works.csv")
        try Data("CODE,Real,Remark,objectID\nA1,1.5,\"x,\ny\",Work/p1\n".utf8).write(to: file)
        let before = try gallery.text(of: gallery.store)
        let outcome = try gallery.run("import", gallery.store.path, file.path, "--guess", "--format", "json")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let line = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        let columns = try #require(line["columns"] as? [[String: Any]])
        #expect(line["entity"] as? String == "Work" && line["format"] as? String == "csv")
        #expect(columns.map { $0["name"] as? String } == ["CODE", "Real", "Remark"])
        #expect(columns.map { $0["property"] as? String } == ["code", "real", nil])
        #expect((columns[1]["samples"] as? [String]) == ["1.5"])
        #expect(try gallery.text(of: gallery.store) == before)
        let unknown = try gallery.run("import", gallery.store.path, file.path, "--guess", "--entity", "Nothing")
        #expect(unknown.code == 1 && unknown.errors.contains("no such entity"), "\(unknown.errors)")
    }

    @Test("what is left out is not imported, and a refused object says its line and its column (BRW-48)")
    func whatIsLeftOutIsNotImported() throws {
        let gallery = try Gallery()
        let file = gallery.file("works.csv")
        try Data("Key,Number,Remark\nA1,1.5,x\nA2,many,y\n".utf8).write(to: file)
        let rejects = gallery.file("rejects.jsonl")
        let outcome = try gallery.run(
            "import", gallery.store.path, file.path, "--entity", "Work", "--map", "Key=code,Number=real", "--leave-out",
            "Remark", "--rejects", rejects.path)
        #expect(outcome.code == 1 && outcome.output.contains("1 inserted"), "\(outcome.output)\(outcome.errors)")
        let line = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: rejects)) as? [String: Any])
        #expect(line["line"] as? Int == 3 && line["column"] as? String == "Number", "\(line)")
    }

    @Test("rows that are refused take about as long as others, however many they are (BRW-48)")
    func manyRefusals() throws {
        let gallery = try Gallery()
        func time(_ value: String) throws -> Duration {
            let file = gallery.file("works.csv")
            let lines = (0..<20_000).map { "A\($0),\(value)\n" }.joined()
            try Data(("code,real\n" + lines).utf8).write(to: file)
            return try ContinuousClock().measure {
                let outcome = try gallery.run(
                    "import", gallery.store.path, file.path, "--entity", "Work", "--dry-run", "--rejects",
                    gallery.file("rejects.jsonl").path)
                #expect(
                    !outcome.wasKilled && outcome.code == (value == "many" ? 1 : 0), "\(outcome.errors.prefix(500))")
            }
        }
        let (good, bad) = (try time("1.5"), try time("many"))
        #expect(bad < good * 10, "\(good), \(bad)")
    }
}
