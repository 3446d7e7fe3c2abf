import CoreData
import CoreDataBrowser
import StoreContract
import Testing

@Suite("What rules hide of a store")
struct HiddenPartsTests {
    /// Heroes with a power each, in a store with a history; only the boss may see secret identities and powers.
    private struct Scene {
        let stack: Stack
        let clerk: EditingTab
        let boss: EditingTab

        init() throws {
            stack = try Stack(SuperDB.model(), options: [NSPersistentHistoryTrackingKey: true])
            SuperDB.fill(stack.context)
            try stack.context.save()
            for (number, hero) in try stack.context.all("Hero").enumerated() {
                hero.setValue("changed \(number)", forKey: "secretIdentity")
                stack.context.insert("Power", ["name": "Flight", "hero": hero])
            }
            try stack.context.save()
            let rules = BrowserRules { user, _, entity, key in
                user?.name == "boss" || (key != "secretIdentity" && entity != "Power")
            }
            let browser = EditingTab.browser(beside: stack.url, rules: rules)
            browser.show(stack.coordinator, name: "Test")
            boss = EditingTab(browser, "tab1", user: "boss")
            clerk = EditingTab(browser, "tab1", user: "clerk")
        }
    }

    private static let pages = [
        "model", "entities/Hero", "entities/Hero?sort=-name&offset=1", "entities/Hero/total", "objects/Hero/p1",
        "objects/Hero/p1/preview", "entities/Hero/facets?keys=name,sex&milliseconds=5000",
        "entities/Hero/sections?section=sex", "counts", "history", "predicate?entity=Hero&caret=0",
        "predicate?entity=Hero&where=se&caret=2", "deletion?objects=Hero/p1", "",
    ]

    @Test("no page that may be read has the name or a value of what is hidden (BRW-53)", arguments: pages)
    func pagesTellNothing(_ page: String) async throws {
        let scene = try Scene()
        let shown = try await scene.clerk.ask("GET", page).sorted
        for secret in ["secretIdentity", "changed ", "Archer", "Power", "powers", "Flight"] {
            #expect(!shown.contains(secret), "\(page): \(secret) in \(shown.prefix(600))")
        }
    }

    @Test("who may see everything sees it at the same addresses (BRW-53)")
    func whoMaySeeEverythingSeesItAtSameAddresses() async throws {
        let scene = try Scene()
        let model = try await scene.boss.ask("GET", "model").sorted
        #expect(model.contains("secretIdentity") && model.contains("Power"))
        let list = try await scene.boss.ask("GET", "entities/Hero").sorted
        #expect(list.contains("changed ") && list.contains("powers"))
        let history = try await scene.boss.ask("GET", "history").sorted
        #expect(history.contains("secretIdentity") && history.contains("Power"))
        let mine = try await scene.clerk.ask("GET", "history").sorted
        #expect(mine.contains("Hero"))
    }

    /// Addresses with `KEY` for the name of a property and `ENTITY` for that of an entity.
    private static let questions = [
        "entities/Hero?sort=KEY", "entities/Hero?keys=name,KEY", "entities/Hero?where=KEY%20!=%20nil",
        "entities/Hero?where=name%20==%20KEY", "entities/Hero?where=SUBQUERY(KEY,$x,1==1).@count%3E0",
        "entities/Hero/facets?keys=KEY", "entities/Hero/sections?section=KEY", "entities/Hero/total?sort=KEY",
        "objects/Hero/p1/values/KEY", "objects/Hero/p1/related/KEY", "entities/ENTITY", "entities/ENTITY/total",
        "objects/ENTITY/p1", "objects/ENTITY/p1/preview", "entities/Hero?around=ENTITY/p1",
        "predicate?entity=ENTITY", "deletion?objects=ENTITY/p1",
    ]

    @Test("what is hidden is asked for with the same answer as what is not there (BRW-53)", arguments: questions)
    func questionsTellNothing(_ question: String) async throws {
        let scene = try Scene()
        let hidden = [("secretIdentity", "Power"), ("powers", "Power")]
        for (key, entity) in hidden {
            let answers = try await [(key, entity), ("qqqqqqqq", "Qqqqq")].asyncMap { key, entity in
                let path = question.replacing("KEY", with: key).replacing("ENTITY", with: entity)
                let (status, text) = try await scene.clerk.answer(path)
                return "\(status) \(text.replacing(key, with: "KEY").replacing(entity, with: "ENTITY"))"
            }
            #expect(answers[0] == answers[1])
            #expect(answers[0].hasPrefix("4"), "\(question): \(answers[0])")
        }
    }

    @Test("an edit names no hidden property, and answers for one as for a name that is not there (BRW-53)")
    func editsTellNothing() async throws {
        let scene = try Scene()
        /// What is said when the clerk sets a property.
        func refusal(_ key: String) async throws -> String {
            let step = #"{"do": "set", "object": "Hero/p1", "key": "\#(key)", "value": "x"}"#
            let answer = try await scene.clerk.stage(step, status: 422)
            return answer.sorted.replacing(key, with: "KEY")
        }
        #expect(try await refusal("secretIdentit").contains("did you mean") == false)
        #expect(try await refusal("secretIdentity") == refusal("qqqqqqqqqqqqqq"))
        #expect(try await refusal("nmae").contains("did you mean 'name'?"))
    }

    @Test("a search does not look into hidden texts (BRW-53)")
    func searchDoesNotLookIntoHiddenTexts() async throws {
        let scene = try Scene()
        let found = try await scene.boss.ask("GET", "entities/Hero?search=changed")
        #expect(found["rows"].list.count == 5)
        let none = try await scene.clerk.ask("GET", "entities/Hero?search=changed")
        #expect(none["rows"].list.isEmpty)
        let named = try await scene.clerk.ask("GET", "entities/Hero?search=alpha")
        #expect(named["rows"].list.count == 1)
    }

    @Test("an order that another made by a hidden attribute is of no use (BRW-53)")
    func sharedOrder() async throws {
        let scene = try Scene()
        let total = try await scene.boss.ask("GET", "entities/Hero/total?sort=secretIdentity")
        let token = try #require(total["order"].text)
        let (status, _) = try await scene.clerk.answer("entities/Hero?sort=secretIdentity&order=\(token)")
        #expect((400..<500).contains(status))
        let mine = try await scene.clerk.ask("GET", "entities/Hero/total?sort=name")
        let others = try await scene.boss.ask("GET", "entities/Hero/total?sort=name")
        #expect(mine["order"].text != others["order"].text)
    }

    @Test("a bulk edit counts by nothing that is hidden (BRW-53)")
    func bulkEditCountsByNothingThatIsHidden() async throws {
        let scene = try Scene()
        let body = #"{"entity": "Hero", "where": "secretIdentity != nil", "set": {"name": "x"}, "dryRun": true}"#
        let refused = try await scene.clerk.ask("POST", "bulk", body, status: 422)
        #expect(refused["error"]["hint"].text?.contains("secretIdentity") != true)
        let counted = try await scene.boss.ask("POST", "bulk", body)
        #expect(counted["matched"].number == 5)
    }

    @Test("objects of a hidden entity below a shown one are in none of its lists (BRW-53)")
    func hiddenBelow() async throws {
        let stack = try Stack(CompanyModel.make())
        try CompanyModel.fill(stack.context, employees: 20, seed: 28)
        let rules = BrowserRules { user, _, entity, _ in user?.name == "boss" || entity != "Manager" }
        let browser = EditingTab.browser(beside: stack.url, rules: rules)
        browser.show(stack.coordinator, name: "Test")
        let (boss, clerk) = (EditingTab(browser, user: "boss"), EditingTab(browser, user: "clerk"))
        let all = try await boss.ask("GET", "entities/Employee?sort=name&limit=100")
        #expect(all["rows"].list.count == 20)
        let some = try await clerk.ask("GET", "entities/Employee?sort=name&limit=100")
        #expect(some["rows"].list.count == 17)
        #expect(some["rows"].list.allSatisfy { $0["entity"].text == "Employee" })
        let counted = try await clerk.ask("GET", "entities/Employee/total")
        #expect(counted["total"].number == 17)
        let groups = try await clerk.ask("GET", "entities/Employee/facets?keys=name&milliseconds=5000")
        #expect(groups["facets"][0]["values"].list.count == 17)
        let filtered = try await clerk.ask("GET", "entities/Employee?where=entity.name%20==%20%22Manager%22")
        #expect(filtered["rows"].list.isEmpty)
        // Whatever could lead to a manager is gone: 'reports' and 'friends' among others.
        let employee = try #require(some["rows"][0]["id"].text)
        let object = try await clerk.ask("GET", "objects/\(employee)")
        #expect(
            object["relationships"].list.compactMap { $0["name"].text } == [
                "address", "department", "projects", "reviews",
            ])
        let manager = try #require(all["rows"].list.first { $0["entity"].text == "Manager" }?["id"].text)
        let (status, text) = try await clerk.answer("objects/\(manager)")
        #expect(status == 404 && !text.contains("level"))
        let asAbove = "objects/" + manager.replacing("Manager", with: "Employee")
        try await clerk.ask("GET", asAbove, status: 404)
    }

    @Test("an object whose name is hidden is called by its number, in lists and in what is staged (BRW-53)")
    func objectWhoseNameIsHiddenIsCalledByItsNumber() async throws {
        let heroes = try SavedHeroes()
        let rules = BrowserRules { user, _, entity, key in
            user?.name == "boss" || entity != "Hero" || !["name", "secretIdentity", "sex"].contains(key)
        }
        let browser = EditingTab.browser(beside: heroes.stack.url, rules: rules)
        browser.show(heroes.stack.coordinator, name: "Test")
        let clerk = EditingTab(browser, user: "clerk")
        let alpha = heroes["Alpha"]
        try await clerk.stage(#"{"do": "set", "object": "\#(alpha)", "key": "birthDate", "value": null}"#)
        for page in ["entities/Hero", "objects/\(alpha)", "deletion?objects=\(alpha)", "edits", "edits/review"] {
            let shown = try await clerk.ask("GET", page).sorted
            #expect(!shown.contains("Alpha") && !shown.contains("Archer"), "\(page): \(shown.prefix(600))")
            #expect(shown.contains("Hero p1"), "\(page)")
        }
    }

    @Test("the stream of what is saved leaves hidden entities out (BRW-53)")
    func streamOfWhatIsSavedLeavesHiddenEntitiesOut() async throws {
        let scene = try Scene()
        let request = BrowserRequest(target: "/stores/1/events", user: BrowserUser(name: "clerk"))
        let body = await scene.clerk.browser.respond(to: request).body
        let (context, reader) = (scene.stack.newContext(), body)
        _ = try await reader.next()
        try await context.perform {
            context.insert("Power", ["name": "Sight"])
            try context.save()
            context.insert("Hero", ["name": "Zed"])
            try context.save()
        }
        var told = ""
        while !told.contains("Hero/p6"), let piece = try await reader.next() {
            told += String(decoding: piece, as: UTF8.self)
        }
        #expect(told.contains("Hero/p6") && !told.contains("Power"))
    }
}

extension EditingTab {
    /// The status and the text of an answer.
    fileprivate func answer(_ path: String) async throws -> (Int, String) {
        let request = BrowserRequest(
            target: "/stores/1/\(path)", headers: ["X-Tab": name], user: BrowserUser(name: user))
        let response = await browser.respond(to: request)
        return (response.status, String(decoding: try await response.body.bytes(limit: 1 << 24), as: UTF8.self))
    }
}

extension Array {
    fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}
