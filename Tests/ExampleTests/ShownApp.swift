import CoreDataBrowser
import Foundation
import TestBasics
import Testing

/// What the browser says of an example's property lists over a new store.
struct ShownApp: Sendable {
    let problems: [String]
    let titles: [String]

    @MainActor init(_ name: String, in folder: TemporaryFolder) async throws {
        let app = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Examples/\(name)/App").standardizedFileURL
        var options = BrowserOptions()
        options.stateFolder = folder.url.appendingPathComponent("state")
        let browser = Browser(options: options)
        let stores = folder.url.appendingPathComponent("app")
        try FileManager.default.createDirectory(at: stores, withIntermediateDirectories: true)
        let id = try browser.openApp(app, storeFolder: stores)
        let request = BrowserRequest(target: "/apps/\(id)", user: BrowserUser(name: "eva"))
        let bytes = try await browser.respond(to: request).body.bytes(limit: 1 << 20)
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        problems = (answer["problems"] as? [[String: Any]] ?? []).map { "\($0["text"] ?? "")" }
        titles = (answer["lists"] as? [[String: Any]] ?? []).compactMap { $0["title"] as? String }
    }
}
