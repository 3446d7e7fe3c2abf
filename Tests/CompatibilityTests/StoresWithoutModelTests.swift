import CoreData
import CoreDataBrowser
import TestBasics
import Testing

@Suite(
    "Stores of Apple's framework that keep no model, in the browser",
    .enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct StoresWithoutModelTests {
    private static let recipes = "stores/magicalrecord-recipes/Samples/iOS/"
    private static let books = "stores/apple-coredatabooks/CoreDataBooks/"

    private func json(_ browser: Browser, _ target: String, status: Int = 200) async throws -> [String: Any] {
        let response = await browser.respond(to: BrowserRequest(target: target, user: BrowserUser(name: "eva")))
        let bytes = try await response.body.bytes(limit: 1 << 26)
        #expect(response.status == status, "\(target): \(String(decoding: bytes.prefix(400), as: UTF8.self))")
        return try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
    }

    @Test("a store without a model is listed with the reason, and its rows are shown (BRW-01)")
    func storeWithoutModelIsListedWithReason() async throws {
        let file = try Fixtures.copyOfStore(Self.books + "CoreDataBooks.CDBStore")
        let browser = Browser()
        do {
            try browser.open(file)
            Issue.record("the store has no model")
        } catch { browser.core.list(file, closedBy: error) }
        let stores = try #require(try await json(browser, "/")["stores"] as? [[String: Any]])
        let id = try #require(stores.first?["id"] as? String)
        #expect(
            stores.count == 1 && stores[0]["closed"] as? Bool == true
                && stores[0]["name"] as? String == file.lastPathComponent)
        let problem = (stores[0]["problems"] as? [String])?.first ?? ""
        // The path stands beside it.
        #expect(!problem.contains(file.path) && problem.contains("keeps no model"), "\(problem)")
        #expect(problem.contains("--model \(file.lastPathComponent)=PATH"), "\(problem)")
        let refused = try await json(browser, "/stores/\(id)", status: 409)["error"] as? [String: Any]
        #expect(refused?["code"] as? String == "noModel" && refused?["closed"] as? String == id)
        let tables = try await json(browser, "/stores/\(id)/tables")["tables"] as? [[String: Any]] ?? []
        #expect(tables.contains { $0["name"] as? String == "Book" && $0["entity"] as? Bool == true })
        let books = try await json(browser, "/stores/\(id)/tables/Book?limit=2")
        #expect((books["rows"] as? [[Any]])?.count == 2 && (books["columns"] as? [String])?.contains("ZTITLE") == true)
        #expect((books["total"] as? Int ?? 0) > 2)
        _ = try await json(browser, "/stores/\(id)/tables/Nothing", status: 404)
        _ = try await json(browser, "/stores/other/tables", status: 404)
    }

    @Test("the model beside a store is found by its hashes, whatever else is there (BRW-02)")
    func modelBesideStoreIsFoundByItsHashes() async throws {
        let file = try Fixtures.copyOfStore(Self.books + "CoreDataBooks.CDBStore")
        let folder = file.deletingLastPathComponent()
        for package in [
            Self.recipes + "Application/Models/Recipes.xcdatamodeld", Self.books + "CoreDataBooks.xcdatamodeld",
        ] {
            let url = Fixtures.url(package)
            try FileManager.default.copyItem(at: url, to: folder.appendingPathComponent(url.lastPathComponent))
        }
        let browser = Browser()
        let id = try browser.open(file)
        let store = try await json(browser, "/stores/\(id)")["store"] as? [String: Any]
        #expect((store?["model"] as? String)?.hasSuffix("CoreDataBooks.xcdatamodeld") == true)
        let books = try await json(browser, "/stores/\(id)/entities/Book?limit=3")
        #expect((books["rows"] as? [Any])?.count == 3)
    }
}
