import CoreData
import CoreDataBrowser
import Foundation
import SwiftData
import TestBasics
import Testing

/// The browser on a container of models, in the program that uses it.
@Suite struct BrowsedModelTests {
    private func json(_ browser: Browser, _ target: String) async throws -> [String: Any] {
        let response = await browser.respond(
            to: BrowserRequest(target: target, headers: [:], user: BrowserUser(name: "eva")))
        let bytes = try await response.body.bytes(limit: 1 << 26)
        #expect(response.status == 200, "\(target): \(String(decoding: bytes, as: UTF8.self).prefix(500))")
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    @Test("the browser shows entities, rows and the history of models")
    func theBrowserShowsModels() async throws {
        let folder = try TemporaryFolder()
        let context = try ModelContext.filled(ModelConfiguration(url: folder.url.appending(path: "shelves.store")))
        let browser = Browser()
        browser.show(context.container.persistentStoreCoordinator, name: "Shelves")
        let store = try await json(browser, "/stores/1")
        #expect("\(store)".contains("Volume") && "\(store)".contains("Shelf"))
        let rows = try await json(browser, "/stores/1/entities/Volume?where=pages%20%3E%20100")
        #expect("\(rows)".contains("Persuasion") && !"\(rows)".contains("Alps"))
        let history = try await json(browser, "/stores/1/history")
        #expect("\(history)".contains("Volume"))
    }
}
