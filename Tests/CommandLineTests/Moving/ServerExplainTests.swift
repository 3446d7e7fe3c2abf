import CoreData
import StoreContract
import TestServers
import Testing

/// `coredata explain` on a store of a server.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server")) struct ServerExplainTests {
    private let gallery: Gallery
    private let place: String

    init() throws {
        gallery = try Gallery()
        place = try PostgresServer.shared.get().makeURL("explained").absoluteString
        let outcome = try gallery.run("copy", gallery.store.path, place)
        try #require(outcome.code == 0, "\(outcome.errors)")
    }

    private func json(_ words: String...) throws -> [String: Any] {
        let outcome = try Tool.run(["explain", place, "Work", "--format", "json"] + words)
        #expect(outcome.code == 0, "\(outcome.errors)")
        return try outcome.json()
    }

    @Test(
        "explaining a fetch on a server prints who decides, the SQL, the kinds of values and the server's plan (TOOL-16)"
    )
    func fetchOnServerIsExplained() throws {
        let outcome = try Tool.run(
            "explain", place, "Work", "--where", "code == 'W3' AND title CONTAINS[cd] 'secret'", "--sort", "code")
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        for text in [
            "Decided\n  the server decides the predicate; memory is asked of rows that are in doubt\n  the server sorts",
            "  code == ?: the server\n",
            "  title CONTAINS ?: the server, unless a row is in doubt, texts with characters",
            "SQL\n  SELECT t0.Z_PK", "  $1  text of 2 characters", "Plan\n  ", " of zwork", "  only planned",
        ] { #expect(outcome.output.contains(text), "\(text)\n\(outcome.output)") }
        #expect(!outcome.output.contains("secret") && !outcome.output.contains("W3"), "\(outcome.output)")
        let values = try Tool.run("explain", place, "Work", "--where", "code == 'W3'", "--values")
        #expect(values.output.contains("$1  'W3'"), "\(values.output)")
    }

    @Test("a fetch that is carried out counts what was looked at, sent, answered and asked of memory (TOOL-16)")
    func fetchThatIsCarriedOutCountsWhatWasLooked() throws {
        let all = try json("--analyze")["rows"] as? [String: Int]
        let count = try #require(all?["answered"])
        #expect(count > 3 && all?["sent"] == count && all?["examined"] == count && all?["evaluatedInMemory"] == 0)
        let one = try json("--where", "code == 'W3'", "--analyze")
        #expect(one["decided"] as? String == "server")
        let rows = one["rows"] as? [String: Int]
        #expect(rows?["answered"] == 1 && rows?["sent"] == 1 && rows?["evaluatedInMemory"] == 0, "\(one)")
        let narrowed = try json("--where", "code != 'W3' AND uppercase(title) == 'X'", "--analyze")
        #expect(narrowed["decided"] as? String == "narrowed", "\(narrowed)")
        let parts = narrowed["parts"] as? [[String: Any]]
        #expect(parts?.map { $0["decided"] as? String } == ["server", "memory"], "\(narrowed)")
        #expect(parts?.last?["reason"] as? String == "the function 'uppercase'")
        let sent = narrowed["rows"] as? [String: Int]
        #expect(sent?["answered"] == 0 && sent?["sent"] == count - 1 && sent?["evaluatedInMemory"] == count - 1)
        let planned = try json("--where", "code == 'W3'")
        #expect(planned["rows"] is NSNull)
    }

    @Test(
        "an index of folded texts is named without its expression, which --whole and JSON have (TOOL-16)"
    )
    func foldedIndexes() throws {
        let builder = ModelBuilder()
        builder.entity("City", ["name": .stringAttributeType])
        builder.entity("Street", ["name": .stringAttributeType])
        builder.relationships("City.streets*", "Street.city")
        for entity in ["City", "Street"] {
            let element = NSFetchIndexElementDescription(
                property: builder.attribute("\(entity).name"), collationType: .binary)
            builder[entity].indexes = [NSFetchIndexDescription(name: "byName", elements: [element])]
        }
        let url = try PostgresServer.shared.get().makeURL("folded")
        let stack = try Stack(builder.model, url: url, kind: .postgreSQL)
        for number in 0..<5_000 { stack.context.insert("Street", ["name": "Straße \(number)"]) }
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
        func explain(_ words: String...) throws -> Tool.Outcome {
            try Tool.run(
                ["explain", url.absoluteString, "Street", "--where", "name ==[cd] 'STRASSE 7' OR city.name ==[c] 'x'"]
                    + words)
        }
        let short = try explain()
        for text in [
            "folded(t0.ZNAME) IN (",
            "Abbreviated; --whole shows it\n  folded(t0.ZNAME)  the expression of the index "
                + "zstreet_zname_folded\n  folded(t1.ZNAME)  the expression of the index zcity_zname_folded\n",
        ] { #expect(short.output.contains(text), "\(text)\n\(short.output)") }
        let whole = try explain("--whole")
        #expect(short.code == 0 && short.output.utf8.count + 2_000 < whole.output.utf8.count)
        #expect(
            !short.output.contains("WHEN pg_catalog.textregexeq(t0.ZNAME, '")
                && !whole.output.contains("folded(t0.ZNAME)"))
        #expect(whole.output.contains("WHEN pg_catalog.textregexeq(t0.ZNAME, '"))
        let document: [String: Any] = try explain("--format", "json").json()
        let questions = document["questions"] as? [[String: Any]]
        #expect((questions?.first?["sql"] as? String)?.contains("WHEN pg_catalog.textregexeq(t0.ZNAME, '") == true)
        let plan = try Tool.run(["explain", url.absoluteString, "Street", "--where", "name ==[cd] 'STRASSE 7'"])
        #expect(plan.output.contains("by zstreet_zname_folded"), "\(plan.output)")
        #expect(plan.output.contains("(folded(zname) = ANY ("), "\(plan.output)")
    }

    @Test("explaining writes nothing, and reports mistakes as fetch does (TOOL-16)")
    func explainingWritesNothingAndReportsMistakesAsFetchDoes() throws {
        _ = try json("--where", "code LIKE 'W*'", "--analyze")
        let compared = try gallery.run("compare", gallery.store.path, place)
        #expect(compared.code == 0, "\(compared.output)\(compared.errors)")
        for words in [["Wrk"], ["Work", "--where", "code =="], ["Work", "--where", "cdoe == 1"]] {
            let fetched = try Tool.run(["fetch", place] + words)
            let explained = try Tool.run(["explain", place] + words)
            #expect(explained.code == 1 && explained.output == "" && explained.errors == fetched.errors)
        }
    }
}
