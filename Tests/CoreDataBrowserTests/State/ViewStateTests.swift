import CoreDataBrowser
import TestBasics
import Testing

@Suite("What views remember")
struct ViewStateTests {
    private func ask(_ browser: Browser, _ method: String, _ name: String, _ body: String = "") async throws
        -> (Int, String)
    {
        let answer = await browser.respond(
            to: BrowserRequest(
                method: method, target: browser.named("/stores/1/state/" + name),
                headers: ["Content-Type": "application/json"],
                body: BrowserBody(Array(body.utf8)), user: BrowserUser(name: "eva")))
        return (answer.status, String(decoding: try await answer.body.bytes(limit: 1 << 20), as: UTF8.self))
    }

    private func browser(_ folder: TemporaryFolder, _ coordinator: NSPersistentStoreCoordinator) -> Browser {
        var options = BrowserOptions()
        options.stateFolder = folder.url
        let browser = Browser(options: options)
        browser.show(coordinator, name: "Notes")
        return browser
    }

    @Test("A value is there for the next browser, by store and name, and names are not used as paths")
    func valueIsThereForNextBrowser() async throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
        _ = try coordinator.addPersistentStore(
            type: .inMemory, configuration: nil, at: URL(fileURLWithPath: "/dev/null"), options: nil)
        let first = try await ask(browser(folder, coordinator), "GET", "columns")
        #expect(first == (200, "null\n"))
        let change = try await ask(browser(folder, coordinator), "PUT", "columns", "[1, \"é\"]")
        #expect(change.0 == 204)
        let again = try await ask(browser(folder, coordinator), "GET", "columns")
        #expect(again.0 == 200 && again.1.contains("é"))
        let long = try await ask(
            browser(folder, coordinator), "PUT", "columns", "\"\(String(repeating: "x", count: 2 << 20))\"")
        #expect(long.0 == 413)
        for name in ["a%2fb", "a%20b", "%c3%a9", String(repeating: "x", count: 65)] {
            let answer = try await ask(browser(folder, coordinator), "PUT", name, "1")
            #expect(answer.0 == 400)
        }
    }

    @Test("each tab has a value of its own, a new one the newest, and those of old tabs are forgotten (BRW-55)")
    func eachTabHasValueOfItsOwn() async throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
        _ = try coordinator.addPersistentStore(
            type: .inMemory, configuration: nil, at: URL(fileURLWithPath: "/dev/null"), options: nil)
        let browser = browser(folder, coordinator)
        #expect(try await ask(browser, "GET", "view?tab=new") == (200, "null\n"))
        for number in 1...30 {
            #expect(try await ask(browser, "PUT", "view?tab=t\(number)", "\(number)").0 == 204)
            try await Task.sleep(for: .milliseconds(5))
        }
        _ = try await ask(browser, "PUT", "view?tab=t20", "200")
        #expect(try await ask(browser, "GET", "view?tab=t29") == (200, "29\n"))
        #expect(try await ask(browser, "GET", "view?tab=new") == (200, "200\n"))
        #expect(try await ask(browser, "GET", "view?tab=t1") == (200, "200\n"))
        #expect(try await ask(browser, "GET", "view") == (200, "null\n"))
        let kept = FileManager.default.enumerator(atPath: folder.url.path)?.compactMap { $0 as? String } ?? []
        #expect(kept.filter { $0.hasSuffix(".json") }.count == 20)
        #expect(try await ask(browser, "PUT", "view?tab=a%2fb", "1").0 == 400)
    }
}
