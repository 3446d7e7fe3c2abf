import CoreData
import CoreDataBrowser
import StoreContract
import Testing

@Suite("The page of SQL")
struct SQLPageTests {
    private struct Scene {
        private let heroes: HeroScene
        private var answers: BrowserAnswers { heroes.answers }
        var browser: Browser { heroes.browser }
        var stack: Stack { heroes.stack }

        init(_ kind: StoreKind = .sqlite, rules: BrowserRules = .everything) throws {
            heroes = try HeroScene(kind, rules: rules)
        }

        func json(_ target: String, status: Int = 200, sourceLocation: SourceLocation = #_sourceLocation) async throws
            -> Answer
        {
            try await answers.json(target, status: status, sourceLocation: sourceLocation)
        }

        func response(_ target: String) async -> BrowserResponse {
            await answers.response(target)
        }
    }

    private func target(_ page: String, _ query: [String: String]) -> String {
        let parts = query.map { key, text in
            [key, text].map { $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }.joined(
                separator: "=")
        }
        return "/stores/1/\(page)?" + parts.sorted().joined(separator: "&")
    }

    @Test("rows, parameters and limits of a statement are in its address (BRW-46)")
    func rowsParametersAndLimitsOfStatementAreInItsAddress() async throws {
        let answers = try Scene()
        let sql = "SELECT ZNAME, ZBIRTHDATE FROM ZHERO WHERE ZSEX = :sex ORDER BY ZNAME"
        let page = try await answers.json(target("sql", ["query": sql, "p:sex": "Male", "limit": "1"]))
        #expect(page["rows"].list.map { $0[0].text } == ["Bolt"])
        #expect(page["complete"].flag == false && page["stopped"].text == "rows")
        #expect(page["columns"][0]["property"].text == "name" && page["columns"][1]["isDate"].flag == true)
        #expect(page["parameters"][":sex"].text == "Male")
        let csv = await answers.response(
            target("sql", ["query": "SELECT ZNAME FROM ZHERO ORDER BY 1", "format": "csv"]))
        #expect(csv.headers["Content-Type"] == "text/csv; charset=utf-8")
        let text = String(decoding: try await csv.body.bytes(limit: 1_000), as: UTF8.self)
        #expect(text == "ZNAME\r\nAlpha\r\nBolt\r\nCinder\r\nDusk\r\nEcho\r\n")
        // What the program saves later is seen, though the statement has a connection of its own.
        answers.stack.context.insert("Hero", ["name": "Flux"])
        try answers.stack.context.save()
        let count = try await answers.json(target("sql", ["query": "SELECT count(*) FROM ZHERO"]))
        #expect(count["rows"][0][0].number == 6)
    }

    @Test("a statement is checked without being carried out (BRW-46)")
    func statementIsCheckedWithoutBeingCarriedOut() async throws {
        let answers = try Scene()
        let good = try await answers.json(target("sql/check", ["query": "SELECT :b, ?1, @c"]))
        #expect(good["valid"].flag == true && good["parameters"].list.compactMap(\.text).sorted() == [":b", "@c"])
        let bad = try await answers.json(target("sql/check", ["query": "SELECT ZNOME FROM ZHERO"]))
        #expect(bad["valid"].flag == false && bad["error"]["position"].number == 7)
        let schema = try await answers.json("/stores/1/sql/schema")
        let hero = schema["tables"].named("ZHERO")
        #expect(hero["entity"].text == "Hero" && hero["columns"].named("ZSEX")["property"].text == "sex")
    }

    @Test("errors have a code, a reason and a place (BRW-46)")
    func errorsHaveCodeReasonAndPlace() async throws {
        let answers = try Scene()
        let before = try Data(contentsOf: answers.stack.url)
        let bad = try await answers.json(target("sql", ["query": "SELECT * FROM nowhere"]), status: 422)
        #expect(bad["error"]["code"].text == "badSQL" && bad["error"]["reason"].text == "no such table: nowhere")
        let refused = try await answers.json(target("sql", ["query": "DELETE FROM ZHERO"]), status: 403)
        #expect(refused["error"]["code"].text == "refusedSQL")
        _ = try await answers.json(target("sql", ["query": "SELECT :a"]), status: 422)
        _ = try await answers.json(target("sql", ["query": "SELECT 1", "limit": "0"]), status: 400)
        _ = try await answers.json(target("sql", ["query": "SELECT 1", "timeout": "9999"]), status: 400)
        _ = try await answers.json("/stores/1/sql", status: 422)
        #expect(try Data(contentsOf: answers.stack.url) == before)
    }

    @Test(
        "who may not read everything may not ask by SQL, and other stores have none (BRW-46)",
        arguments: ["sql?query=SELECT%201", "sql/schema", "sql/check?query=SELECT%201"])
    func refusedWhole(_ page: String) async throws {
        let rules = BrowserRules { user, _, _, key in user?.name == "boss" || key != "secretIdentity" }
        let answers = try Scene(rules: rules)
        let refused = try await answers.json("/stores/1/\(page)", status: 403)
        #expect(refused["error"]["reason"].text?.contains("may not read all of it") == true)
        for kind in [StoreKind.xml, .inMemory] {
            let others = try Scene(kind)
            let other = try await others.json("/stores/1/\(page)", status: 422)
            #expect(
                other["error"]["code"].text == "notSQLite"
                    && other["error"]["hint"].text?.contains("fetch console") == true)
        }
    }

    @Test("a statement ends when its client goes away (BRW-46)")
    func statementEndsWhenItsClientGoesAway() async throws {
        let answers = try Scene()
        let endless = target(
            "sql",
            [
                "query": "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c",
                "timeout": "60",
            ])
        let browser = answers.browser
        let task = Task { await BrowserAnswers(browser).response(endless) }
        try await Task.sleep(for: .milliseconds(200))
        let begin = ContinuousClock.now
        task.cancel()
        #expect(await task.value.status == 499)
        #expect(answers.stack.coordinator.persistentStores.count == 1)
        #expect(begin.duration(to: .now) < .seconds(5))
    }
}
