import CoreData
import CoreDataBrowser
import TestBasics
import Testing

@Suite(
    "Stores of Apple's framework in the browser",
    .enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct BrowsingTests {
    @Test(
        "every store opens, with the model that it keeps or one that is given, and every page of it is shown (BRW-01, BRW-02)",
        arguments: FixtureStore.withEachModel)
    func everyStoreOpensWithModelThatItKeepsOrOneThatIsGiven(_ store: FixtureStore) async throws {
        let url = try store.copy()
        let browser = Browser()
        try browser.open(url, model: store.usesCachedModel ? nil : store.source.map { Fixtures.url("stores/" + $0) })
        let entities = try await answer(browser, "/stores/1")["entities"] as? [[String: Any]] ?? []
        #expect(!entities.isEmpty)
        let counts = try await answer(browser, "/stores/1/counts?milliseconds=60000")
        #expect(counts["complete"] as? Bool == true && (counts["problems"] as? [String])?.isEmpty == true)
        #expect(try await answer(browser, "/stores/1/model")["entities"] is [Any])
        for name in entities.compactMap({ $0["name"] as? String }) {
            let list = try await answer(browser, "/stores/1/entities/\(name)?limit=50")
            let rows = try #require(list["rows"] as? [[String: Any]])
            let own = ((counts["counts"] as? [String: Any])?[name] as? [String: Int])?["all"]
            #expect(rows.count == min(50, try #require(own)), "\(name)")
            for row in rows {
                #expect((row["unreadable"] as? [String: Any])?.isEmpty == true, "\(name): \(row)")
                let id = try #require(row["id"] as? String)
                let object = try await answer(browser, "/stores/1/objects/\(id)")
                let parts = ["attributes", "relationships", "fetched"].flatMap { object[$0] as? [[String: Any]] ?? [] }
                let unreadable = parts.filter { $0["unreadable"] != nil }
                #expect(unreadable.isEmpty, "\(id): \(unreadable)")
                _ = try await answer(browser, "/stores/1/objects/\(id)/preview")
            }
        }
    }

    private func answer(_ browser: Browser, _ target: String) async throws -> [String: Any] {
        let escaped = target.addingPercentEncoding(withAllowedCharacters: .urlFragmentAllowed) ?? target
        let request = BrowserRequest(target: escaped, user: BrowserUser(name: "eva"))
        let response = await browser.respond(to: request)
        let bytes = try await response.body.bytes(limit: 1 << 26)
        #expect(response.status == 200, "\(target): \(String(decoding: bytes.prefix(400), as: UTF8.self))")
        return try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
    }
}
