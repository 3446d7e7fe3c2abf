import CoreData
import CoreDataBrowserServer
import CoreDataTestSupport
import Testing

/// The checks of accessibility that are run in pages.
enum AxeCore {
    /// The checks of axe-core, which `Scripts/bootstrap test` fetches.
    static let rules = try? String(
        contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(".build/axe/axe.min.js"),
        encoding: .utf8)
}

@Suite(
    "The browser's pages for everybody", .serialized,
    .enabled(if: WebDriver.isInstalled && AxeCore.rules != nil, "chromedriver or axe-core is not installed"))
struct AccessibilityTests {
    @Test(
        "BRW-54: no view breaks a rule of accessibility, in light and dark, from 320 pixels to wide",
        arguments: [320, 1280])
    func noViolations(width: Int) async throws {
        let heroes = try await HeroPages(width: width, height: 800)
        let page = heroes.page
        let rules = try #require(AxeCore.rules)
        let id = try heroes.id("Alpha")
        for view in ["", "stores/1", "stores/1/entities/Hero?sort=name", "stores/1/objects/\(id)", "stores/1/history"] {
            for theme in ["light", "dark"] {
                try await page.go(to: heroes.server.address + view)
                try await page.wait(
                    until:
                        "document.querySelector('main h1, main h2') && !document.querySelector('main[aria-busy=true]')")
                try await page.evaluate("document.documentElement.dataset.theme = arguments[0]", [.string(theme)])
                try await page.evaluate(rules)
                let found = try await page.evaluate(
                    "return (await axe.run()).violations.map(v => `${v.id}: ${v.nodes.slice(0, 3).map(n => n.target + ' ' + n.html.slice(0, 120)).join(' | ')}`)"
                )
                let texts = found.elements.compactMap(\.text)
                #expect(texts.isEmpty, "\(view) \(theme) \(width): \(texts.joined(separator: "\n"))")
                let fits = try await page.evaluate("return document.documentElement.scrollWidth <= innerWidth")
                #expect(fits == true, "\(view) is wider than \(width)")
            }
        }
    }
}
