import CoreData
import CoreDataBrowser
import CoreDataExchange
import CoreDataMigrationPlanning
import CoreDataWorkbench
import StoreContract
import TestBasics
import Testing

@Suite("Two stores beside each other, on the page", .timeLimit(.minutes(3)))
struct ComparePageTests {
    private let folder: TemporaryFolder
    private let files: [URL]

    init() throws {
        folder = try TemporaryFolder()
        let folder = folder
        files = ["Left", "Right"].map { folder.url.appendingPathComponent("\($0).sqlite") }
        for (number, file) in files.enumerated() {
            let stack = try Stack(SuperDB.model(), url: file)
            SuperDB.fill(stack.context)
            try stack.context.save()
            if number == 0 {
                let hero = try #require(
                    try stack.context.all("Hero").first { $0.value(forKey: "name") as? String == "Alpha" })
                hero.setValue("Alphonse", forKey: "name")
                let new = stack.context.insert("Hero", ["name": "Zero"])
                stack.context.insert("Power", ["name": "Flight", "hero": new])
                try stack.context.save()
            }
            try stack.coordinator.remove(stack.store)
        }
    }

    private func browser(isWriting: Bool = true, rules: BrowserRules = .everything) throws -> Browser {
        let browser = EditingTab.browser(beside: files[0], rules: rules)
        for file in files { try browser.open(file, isWriting: isWriting) }
        return browser
    }

    @discardableResult
    private func ask(
        _ browser: Browser, _ method: String, _ target: String, _ body: String? = nil, status: Int = 200,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Reply {
        let headers: BrowserHeaders = body == nil ? [:] : ["Content-Type": "application/json"]
        let response = await browser.respond(
            to: BrowserRequest(
                method: method, target: browser.named(target), headers: headers,
                body: body.map { BrowserBody(Array($0.utf8)) } ?? .empty, user: BrowserUser(name: "eva")))
        let bytes = try await response.body.bytes(limit: 1 << 26)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(response.status == status, "\(target): \(text.prefix(600))", sourceLocation: sourceLocation)
        return Reply(try? JSONSerialization.jsonObject(with: Data(bytes)))
    }

    /// What `coredata compare --values --format json` says of the files.
    private func compared() throws -> (lines: [String], summary: String) {
        let stores = try files.map { try OpenStore(at: $0, model: nil, for: .exporting) }
        var lines: [String] = []
        let summary = try StoreComparison(stores[0], stores[1], by: .usual).run { difference in
            lines.append(Reply(json(difference.json(hasValues: true))).sorted)
        }
        return (lines, Reply(json(summary.json)).sorted)
    }

    private func json(_ value: JSONValue) -> Any? {
        try? JSONSerialization.jsonObject(with: Data(JSONWriter.line(value).utf8))
    }

    @Test(
        "the page's differences and counts are those that 'coredata compare' prints, in windows and filtered (BRW-50, BRW-51)"
    )
    func pagesDifferencesAndCountsAreThoseThatCoredataComparePrints() async throws {
        let browser = try browser()
        let found = try await ask(browser, "GET", "/compare?left=1&right=2")
        let expected = try compared()
        #expect(found["summary"].sorted == expected.summary && found["total"].number == expected.lines.count)
        #expect(expected.lines.count == 3)
        for (number, (reply, line)) in zip(found["differences"].list, expected.lines).enumerated() {
            #expect(reply.sorted.replacing(",\"number\":\(number + 1)", with: "") == line)
        }
        #expect(found["summary"]["entities"]["Hero"]["changed"].number == 1)
        #expect(found["summary"]["entities"]["Power"]["onlyInA"].number == 1)
        let changed = try await ask(browser, "GET", "/compare?left=1&right=2&kind=changed")
        #expect(changed["total"].number == 1 && changed["comparison"].text == found["comparison"].text)
        #expect(changed["differences"][0]["properties"]["name"]["a"].text == "Alphonse")
        #expect(changed["differences"][0]["properties"]["name"]["b"].text == "Alpha")
        let window = try await ask(browser, "GET", "/compare?left=1&right=2&offset=2&limit=1")
        #expect(window["differences"].list.count == 1 && window["total"].number == 3)
        try await ask(browser, "GET", "/compare?left=1", status: 400)
        try await ask(browser, "GET", "/compare?left=1&right=9", status: 404)
        try await ask(browser, "GET", "/compare?left=1&right=2&kind=same", status: 400)
        try await ask(browser, "GET", "/compare?left=1&right=2&by=nothing", status: 422)
        #expect(try await ask(browser, "GET", "/compare/progress?left=1&right=2")["read"].isNull)
    }

    @Test("chosen differences are copied to either side, and what they lead to has to be chosen as well (BRW-50)")
    func chosenDifferencesAreCopiedToEitherSide() async throws {
        let browser = try browser()
        let found = try await ask(browser, "GET", "/compare?left=1&right=2")
        let comparison = try #require(found["comparison"].text)
        let power = try #require(
            found["differences"].list.first { $0["a"].text?.hasPrefix("Power") == true }?["number"].number)
        let alone = "{\"comparison\": \"\(comparison)\", \"to\": \"right\", \"numbers\": [\(power)]}"
        let refused = try await ask(browser, "POST", "/compare/copy", alone, status: 422)
        #expect(refused["error"]["refused"][0]["object"].text?.hasPrefix("Power/p") == true, "\(refused)")
        let all = "{\"comparison\": \"\(comparison)\", \"to\": \"right\", \"all\": {\"kind\": \"onlyInA\"}"
        let tried = try await ask(browser, "POST", "/compare/copy", all + ", \"dryRun\": true}")
        #expect(tried["inserted"].number == 2 && tried["saved"].flag == false)
        #expect(try compared().lines.count == 3)
        let done = try await ask(browser, "POST", "/compare/copy", all + "}")
        #expect(done["inserted"].number == 2 && done["saved"].flag == true && done["refused"].list.isEmpty)
        #expect(try compared().lines.count == 1)
        // The list of the store that was written knows it at once.
        let names = try await ask(browser, "GET", "/stores/2/entities/Power?keys=name")["rows"]
        #expect(names.list.count == 1)
        let outdated = try await ask(browser, "GET", "/compare?left=1&right=2&comparison=\(comparison)")
        #expect(outdated["outdated"].flag == true)
        // What is left goes the other way.
        let now = try await ask(browser, "GET", "/compare?left=1&right=2")
        let back = "{\"comparison\": \"\(now["comparison"].text ?? "")\", \"to\": \"left\", \"all\": {}}"
        #expect(try await ask(browser, "POST", "/compare/copy", back)["updated"].number == 1)
        #expect(try compared().lines.isEmpty)
    }

    @Test(
        "what was changed since it was seen is not copied, nor into a store that is only read or has staged edits (BRW-50)"
    )
    func whatWasChangedSinceItWasSeenIsNotCopied() async throws {
        let browser = try browser()
        let found = try await ask(browser, "GET", "/compare?left=1&right=2")
        let id = found["comparison"].text ?? ""
        let body = "{\"comparison\": \"\(id)\", \"to\": \"right\", \"all\": {\"kind\": \"changed\"}}"
        let stack = try Stack(SuperDB.model(), url: files[1])
        let hero = try #require(try stack.context.all("Hero").first { $0.value(forKey: "name") as? String == "Alpha" })
        hero.setValue("Other", forKey: "name")
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
        let conflict = try await ask(browser, "POST", "/compare/copy", body, status: 409)
        #expect(conflict["error"]["code"].text == "changedSince")
        try await ask(browser, "POST", "/compare/copy", body.replacing("\"\(id)\"", with: "\"c99\""), status: 404)
        try await ask(browser, "POST", "/compare/copy", body.replacing("right", with: "up"), status: 422)
        try await EditingTab(browser).stage(
            "{\"do\": \"set\", \"object\": \"Hero/p1\", \"key\": \"name\", \"value\": \"X\"}")
        let toLeft = body.replacing("right", with: "left")
        #expect(try await ask(browser, "POST", "/compare/copy", toLeft, status: 409)["error"]["code"].text == "staged")
        let reader = try self.browser(isWriting: false)
        let seen = try await ask(reader, "GET", "/compare?left=1&right=2")["comparison"].text ?? ""
        let copy = "{\"comparison\": \"\(seen)\", \"to\": \"right\", \"all\": {}}"
        #expect(try await ask(reader, "POST", "/compare/copy", copy, status: 409)["error"]["code"].text == "readOnly")
        let clerk = try self.browser(rules: BrowserRules { _, _, entity, _ in entity != "Power" })
        try await ask(clerk, "GET", "/compare?left=1&right=2", status: 403)
        try await ask(clerk, "GET", "/compare/models?left=1&right=2", status: 403)
    }

    @Test("a store that is only read is copied from (BRW-50)")
    func copyingFromReadOnly() async throws {
        let browser = EditingTab.browser(beside: files[0])
        try browser.open(files[0])
        try browser.open(files[1], isWriting: true)
        let found = try await ask(browser, "GET", "/compare?left=1&right=2")
        let body = "{\"comparison\": \"\(found["comparison"].text ?? "")\", \"to\": \"right\", \"all\": {}}"
        let done = try await ask(browser, "POST", "/compare/copy", body)
        #expect(done["inserted"].number == 2 && done["updated"].number == 1 && done["saved"].flag == true)
        #expect(try compared().lines.isEmpty)
    }

    @Test("a comparison ends when its task is cancelled (BRW-50)")
    func comparisonEndsWhenItsTaskIsCancelled() async throws {
        let browser = try browser()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await browser.respond(
                to: BrowserRequest(target: "/compare?left=1&right=2", user: BrowserUser(name: "eva"))
            ).status
        }
        #expect(await task.value == 499)
    }

    @Test("two models are compared as 'coredata model diff' does, with what migration can do (BRW-36, BRW-51)")
    func twoModelsAreComparedAsCoredataModelDiff() async throws {
        let browser = try browser()
        let other = folder.url.appendingPathComponent("Other.sqlite")
        let stack = try Stack(
            SuperDB.model("<attribute name=\"weight\" optional=\"YES\" attributeType=\"Double\"/>"), url: other)
        try stack.coordinator.remove(stack.store)
        try browser.open(other)
        let response = await browser.respond(
            to: BrowserRequest(target: "/compare/models?left=1&right=3", user: BrowserUser(name: "eva")))
        let text = String(decoding: try await response.body.bytes(limit: 1 << 22), as: UTF8.self)
        #expect(text == JSONWriter.lines(try ModelComparisonReport(from: files[0], to: other).json) + "\n")
        let report = try await ask(browser, "GET", "/compare/models?left=1&right=3")
        let isAdded = report["changes"].list.contains { $0["name"].text == "weight" && $0["action"].text == "added" }
        #expect(report["migration"]["verdict"].text == "lightweight" && isAdded, "\(report)")
        #expect(try await ask(browser, "GET", "/compare/models?left=1&right=2")["equal"].flag == true)
        #expect(try await ask(browser, "GET", "/compare/models/choices")["models"].list.count == 3)
        try await ask(browser, "GET", "/compare/models?left=1&right=2:V9", status: 404)
        try await ask(browser, "GET", "/compare/models?left=1", status: 400)
    }
}
