import CoreData
import CoreDataBrowserServer
import StoreContract
import TestBrowsers
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
        "no view breaks a rule of accessibility, in light and dark, from 320 pixels to wide (BRW-54)",
        arguments: [320, 1280])
    func noViolations(width: Int) async throws {
        let heroes = try await HeroPages(width: width, height: 800)
        let page = heroes.page
        let rules = try #require(AxeCore.rules)
        let id = try heroes.id("Alpha")
        let store = try #require(heroes.browser.core.shown.first).id
        let views = [
            "", "stores/1", "stores/1/entities/Hero?sort=name", "stores/1/objects/\(id)", "stores/1/history",
            "stores/1/history/1", "stores/1/check", "stores/1/import", "stores/1/subscriptions", "stores/1/sync",
            "stores/1/jobs",
            "compare", "compare/models?left=\(store)&right=\(store)",
            "models/store-1", "models/store-1?view=diagram", "models/store-1?view=findings",
            "models/store-1?view=compare", "models/store-1?view=classes", "instruments", "stores/1/sql",
            "stores/1/sql?query=SELECT+*+FROM+ZHERO+WHERE+ZSEX+IS+:sex&run=1",
            "stores/1/sql?query=SELECT+ZNOME+FROM+ZHERO&run=1",
            "stores/1/console", "stores/1/console?entity=Hero&group=sex,birthDate@year&kind=bar&having=count+%3E+0",
            "stores/1/console?entity=Hero&group=sex&aggregate=nothing",
        ]
        for view in views {
            try await check(page, heroes.address(view), width, rules)
        }
    }

    @Test("no view of an application breaks a rule of accessibility (BRW-54)", arguments: [320, 1280])
    func noViewOfApplicationBreaksRuleOfAccessibility(width: Int) async throws {
        let app = try await AppPages(width: width)
        let rules = try #require(AxeCore.rules)
        let form = "apps/1/forms/HeroDetailConfiguration/Hero/p1"
        for view in ["apps/1/lists/0", form, "apps/1/reports/Hero/p1/oppositeSexHeroes"] {
            try await check(app.page, app.address(view), width, rules)
        }
        try await check(app.page, app.address(form), width, rules, after: "Edit")
    }

    @Test("no view of a recording breaks a rule of accessibility (BRW-54)", arguments: [320, 1280])
    func noViewOfRecordingBreaksRuleOfAccessibility(width: Int) async throws {
        let heroes = try await HeroPages(isWriting: false, width: width, height: 800)
        let rules = try #require(AxeCore.rules)
        let file = heroes.store.url.deletingLastPathComponent().appendingPathComponent("heroes.trace")
        try InstrumentViewTests.record(into: file, in: heroes.store)
        try heroes.browser.openTrace(file)
        for view in ["instruments", "instruments/1"] {
            try await check(heroes.page, heroes.address(view), width, rules)
        }
    }

    /// Runs the rules over a view in both themes, after a button was pressed.
    private func check(_ page: WebPage, _ address: String, _ width: Int, _ rules: String, after press: String? = nil)
        async throws
    {
        try await page.go(to: address)
        try await page.wait(
            until: "document.querySelector('main h1, main h2') && !document.querySelector('main[aria-busy=true]')")
        if let press {
            try await page.evaluate(
                "[...document.querySelectorAll('main button')].find(b => b.innerText === arguments[0]).click()",
                [.string(press)])
        }
        try await page.evaluate(rules)
        for theme in ["light", "dark"] {
            try await page.evaluate("document.documentElement.dataset.theme = arguments[0]", [.string(theme)])
            let found = try await page.evaluate(
                "return (await axe.run({ resultTypes: ['violations'] })).violations.map(v => `${v.id}: ${v.nodes.slice(0, 3).map(n => n.target + ' ' + n.html.slice(0, 120)).join(' | ')}`)"
            )
            let texts = found.elements.compactMap(\.text)
            #expect(texts.isEmpty, "\(address) \(theme) \(width): \(texts.joined(separator: "\n"))")
            let widths = try await page.evaluate("return [innerWidth, document.documentElement.scrollWidth]").elements
            #expect(widths.first?.number == Double(width))
            #expect((widths.last?.number ?? 9_999) <= Double(width), "\(address) is wider than \(width)")
        }
    }
}
