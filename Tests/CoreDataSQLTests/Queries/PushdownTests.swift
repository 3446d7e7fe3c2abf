import Foundation
import StoreContract
import Testing

@testable import CoreDataGraph
@testable import CoreDataSQL

/// What a database is asked that calls none of our functions.
@MainActor
@Suite("Queries pushed down")
struct PushdownTests {
    private func pushed(
        _ format: String, sortedBy keys: [String] = [], limit: Int = 0
    ) throws -> PushedQuery {
        let model = QueryModel.make()
        let layout = ModelLayout.of(model)
        let schema = StoreSchema(model: model)
        let store = QueryWorld.makeStore("STORE")
        let compiler = QueryCompiler(
            schema: schema, model: layout, storeIdentifier: "STORE", dialect: .postgres(schema: "people"))
        let query = FetchQuery(
            binding: EntityBinding(layout: try #require(layout.layout(named: "Person")), store: store, storeNumber: 1),
            predicate: try NSPredicate(parsing: format),
            sortDescriptors: keys.map { NSSortDescriptor(key: $0, ascending: true) },
            limit: limit)
        return try compiler.pushed(query, columns: ["Z_PK"], ColumnTypes(schema))
    }

    @Test(
        "conditions that the database decides as memory does are asked of it",
        arguments: [
            ("name == 'a'", "t0.ZNAME = $1::text"), ("small < 4.5", "t0.ZSMALL < $1::int8"),
            ("name CONTAINS 'x'", "strpos(t0.ZNAME, $1::text) > 0"),
            ("price > 0.1", "t0.ZPRICE > pg_catalog.numeric($1::text)"),
            ("ratio >= 0.5", "t0.ZRATIO < $2::float8"), ("ANY reports.small == 1", "EXISTS (SELECT 1"),
            ("small + 1 > 3", "pg_catalog.numeric(t0.ZSMALL) + $1::int8 > $2::int8"),
            ("reports.@sum.small > 3", "coalesce((SELECT SUM("), ("name != nick", "IS DISTINCT FROM"),
            ("small < ratio", "pg_catalog.float8(t0.ZSMALL) < t0.ZRATIO"),
            ("NOT 'abc' BEGINSWITH name", "t0.ZNAME IS NOT NULL AND pg_catalog.left($1::text, "),
            ("name MATCHES 'a{2,3}|[bc]'", "pg_catalog.textregexeq(t0.ZNAME, $1::text)"),
        ])
    func exact(format: String, sql: String) throws {
        let pushed = try pushed(format)
        #expect(pushed.isExact && pushed.query.sql.contains(sql), "\(pushed.query.sql)")
        #expect(pushed.query.sql.contains("FROM \"people\".ZPERSON t0"))
    }

    @Test(
        "groups by columns and days, and the numbers of their objects, are asked of the database (FET-19)",
        arguments: [
            ("dayOfDate(born)", "n", "::int8 / 86400 - (floor(greatest(least(t0.ZBORN, "),
            ("name", "n", "SELECT t0.ZNAME, COUNT(1) FROM "), ("dayOfDate(born + 60)", nil, nil),
            ("small + 1", nil, nil),
        ] as [(String, String?, String?)])
    func groups(key: String, order: String?, sql: String?) throws {
        let compiled = try pushedGroups(key, counting: "count(SELF)", order: order)
        guard let sql else { return #expect(compiled == nil) }
        let text = try #require(compiled?.query.sql)
        #expect(text.contains(sql) && text.contains("HAVING COUNT(1) > $1::int8 ORDER BY COUNT(1) DESC"))
    }

    @Test("a server sorts distinct groups by counts that it recognizes in the results (FET-19)")
    func distinctGroups() throws {
        #expect(try pushedGroups("name", counting: "count(SELF)", order: "n", isDistinct: true) != nil)
        #expect(try pushedGroups("name", counting: "count(small)", order: "n", isDistinct: true) != nil)
        // Each of the two occurrences has a parameter of its own.
        #expect(try pushedGroups("name", counting: "count(small + 1)", order: "n", isDistinct: true) == nil)
        #expect(try pushedGroups("name", counting: "count(small + 1)", order: "n") != nil)
    }

    /// The query by which a server groups persons; nil if memory does.
    private func pushedGroups(
        _ key: String, counting: String, order: String?, isDistinct: Bool = false
    ) throws -> CompiledValues? {
        let model = QueryModel.make()
        let (layout, schema) = (ModelLayout.of(model), StoreSchema(model: model))
        let person = try #require(layout.layout(named: "Person"))
        let keys = column("key", type: .undefinedAttributeType, expression: NSExpression(format: key))
        let count = column("n", type: .integer64AttributeType, expression: NSExpression(format: counting))
        let request = UntypedFetchRequest()
        request.resultType = .dictionaryResultType
        request.returnsDistinctResults = isDistinct
        request.propertiesToFetch = [keys, count]
        request.propertiesToGroupBy = [keys]
        request.havingPredicate = NSPredicate(format: "n > 1")
        request.sortDescriptors = order.map { [NSSortDescriptor(key: $0, ascending: false)] }
        let query = try ValueRequest(request: request, layout: person).query(
            EntityBinding(layout: person, store: QueryWorld.makeStore("STORE"), storeNumber: 1))
        let compiler = QueryCompiler(
            schema: schema, model: layout, storeIdentifier: "STORE", dialect: .postgres(schema: "people"))
        return try compiler.pushedValues(query, ColumnTypes(schema))
    }

    @Test(
        "other conditions are narrowed: nothing that may hold is left out, and what is decided beside them counts",
        arguments: [
            ("name MATCHES 'a(?=b)' AND small == 1", "WHERE t0.ZSMALL = $1::int8"),
            ("name CONTAINS[cd] 'Ärger'", "pg_catalog.normalize(t0.ZNAME, "),
            ("name CONTAINS[cd] 'a'", "THEN pg_catalog.lower(t0.ZNAME) ELSE "),
            ("NOT name BEGINSWITH[c] 'a'", "IS NOT TRUE"),
            ("name LIKE 'a*b'", "pg_catalog.like(t0.ZNAME, "), ("ratio * 2 > 1", "nullif(t0.ZRATIO * "),
        ])
    func narrowed(format: String, sql: String) throws {
        let pushed = try pushed(format, limit: 3)
        #expect(!pushed.isExact && !pushed.isWindowed && pushed.query.sql.contains(sql), "\(pushed.query.sql)")
        #expect(!pushed.query.sql.contains("LIMIT"))
    }

    @Test("rows in doubt are marked, and asked for as far as the window reaches")
    func rowsInDoubtAreMarked() throws {
        let pushed = try pushed("name BEGINSWITH[c] 'a'", sortedBy: ["small"], limit: 3)
        let flagged = try #require(pushed.flagged)
        #expect(flagged.sql.contains("THEN 1 ELSE 0 END FROM") && flagged.sql.contains(" LIMIT "), "\(flagged.sql)")
        #expect(try self.pushed("name MATCHES 'a(?=b)' AND small == 1").flagged == nil)
    }

    @Test("a condition of which nothing is known leaves out nothing", arguments: ["name MATCHES 'a(?=b)'"])
    func conditionOfWhichNothingIsKnownLeavesOutNothing(format: String) throws {
        let pushed = try pushed(format)
        #expect(!pushed.isExact && !pushed.query.sql.contains("WHERE"))
    }

    @Test(
        "a regular expression is translated where every part means the same, else not at all",
        arguments: [
            ("a|b+", "^(?:a|b+)$"), ("S[ao]les", "^(?:S[ao]les)$"), ("(x?y){2,3}", "^(?:(?:x?y){2,3})$"),
            ("a\\.b", "^(?:a\\.b)$"), ("a*+", nil), ("(?<n>a)", nil), ("\\bword", nil), ("[^a]", nil), ("a{2}{3}", nil),
            ("(?=a)b", nil), ("[a-]", nil), ("a{300}", nil),
        ])
    func patterns(pattern: String, expression: String?) {
        #expect(ServerPattern.translated(pattern, ignoresCase: false) == expression)
    }

    @Test("case folding that a letter may grow by is left to memory, other letters stand for all of their case")
    func casedPatterns() {
        #expect(ServerPattern.translated("strasse", ignoresCase: true) == nil)
        #expect(ServerPattern.translated("sk", ignoresCase: true) == "^(?:[Ss\u{17F}][Kk\u{212A}])$")
    }

    @Test("orders by columns are the database's, with nil first and the key last")
    func ordersByColumnsAreDatabases() throws {
        let pushed = try pushed("TRUEPREDICATE", sortedBy: ["name"], limit: 5)
        #expect(pushed.isWindowed)
        #expect(pushed.query.sql.hasSuffix("ORDER BY t0.ZNAME NULLS FIRST, t0.Z_PK LIMIT $1::int8 OFFSET $2::int8"))
    }

    @Test("a text is written without U+0000 and read back, in the same order")
    func textIsWrittenWithoutU0000AndReadBack() {
        let texts = ["", "\0", "\0\0", "\u{1}", "\u{1}\0", "\u{1}\u{1}", "\u{2}", "a", "a\0b", "é\u{1}"]
        let written = texts.map { EscapedText.escaped($0.utf8) }
        for (text, bytes) in zip(texts, written) {
            #expect(!bytes.contains(0) && EscapedText.unescaped(bytes) == Array(text.utf8))
        }
        for (left, leftBytes) in zip(texts, written) {
            for (right, rightBytes) in zip(texts, written) {
                #expect(
                    left.utf8.lexicographicallyPrecedes(right.utf8) == leftBytes.lexicographicallyPrecedes(rightBytes))
            }
        }
        #expect(EscapedText.unescaped([1]) == [1] && EscapedText.unescaped([1, 7]) == [1, 7])
    }

    @Test("names that the server would cut are shortened, and stay apart")
    func namesThatServerWouldCutAreShortened() {
        let (long, other) = (String(repeating: "Ä", count: 60), String(repeating: "Ä", count: 61))
        let (short, third) = (StoreSchema.shortened(long, to: 63), StoreSchema.shortened(other, to: 63))
        #expect(short.utf8.count <= 63 && third.utf8.count <= 63 && short != third)
        #expect(StoreSchema.shortened("ZNAME", to: 63) == "ZNAME")
    }
}
