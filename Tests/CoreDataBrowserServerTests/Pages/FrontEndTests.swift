import CoreDataBrowserServer
import Foundation
import TestBrowsers
import Testing

@Suite("The front end's files")
struct FrontEndTests {
    private static let assets: URL = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { url.deleteLastPathComponent() }
        return url.appendingPathComponent("Sources/Workbench/CoreDataBrowser/Assets")
    }()

    /// The texts of a language: the common ones, and those of views that few need.
    private static func strings(_ language: String) throws -> [String: String] {
        let folder = assets.appendingPathComponent("strings")
        var all: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where name == "\(language).json" || name.hasSuffix(".\(language).json") {
            let data = try Data(contentsOf: folder.appendingPathComponent(name))
            all.merge(try JSONDecoder().decode([String: String].self, from: data)) { first, _ in
                Issue.record("a text is in two files: \(first)")
                return first
            }
        }
        return all
    }

    private static func placeholders(_ text: String) -> Set<Substring> {
        Set(text.matches(of: /\{\w+\}/).map(\.output))
    }

    @Test("each language has every text, with the same parts to fill in (BRW-54)")
    func eachLanguageHasEveryText() throws {
        let english = try Self.strings("en")
        let german = try Self.strings("de")
        #expect(Set(english.keys) == Set(german.keys))
        for (name, text) in english {
            #expect(german[name].map(Self.placeholders) == Self.placeholders(text), "\(name)")
            #expect(german[name]?.isEmpty == false, "\(name)")
        }
    }

    @Test("the names of texts that modules ask for are there (BRW-54)")
    func namesOfTextsThatModulesAsk() throws {
        let known = try Self.strings("en")
        let files = FileManager.default.enumerator(at: Self.assets, includingPropertiesForKeys: nil)
        var count = 0
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "js" else { continue }
            for match in try String(contentsOf: file, encoding: .utf8).matches(of: /\bt\('([\w.]+)'/) {
                let name = String(match.1)
                #expect(known[name] != nil || known["\(name).other"] != nil, "\(file.lastPathComponent): \(name)")
                count += 1
            }
        }
        #expect(count > 100)
    }
}

@Suite(
    "Measures of the front end in a real web browser", .serialized,
    .enabled(if: WebDriver.isInstalled, "chromedriver is not installed"))
struct FrontEndMeasureTests {
    @Test("the first view of a list takes at most 200 kB, uncompressed, and nothing from another host (BRW-15)")
    func firstView() async throws {
        let heroes = try await HeroPages(isWriting: false)
        let page = heroes.page
        try await page.openTab()
        try await heroes.goToHeroes()
        try await Task.sleep(for: .seconds(1))
        let sizes = try await page.evaluate(
            """
            const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
            return [all.reduce((sum, one) => sum + one.decodedBodySize, 0), all.length, all.filter(one => new URL(one.name).origin !== location.origin).length];
            """
        ).elements.compactMap(\.number)
        #expect(sizes[0] > 50_000 && sizes[0] <= 200_000, "\(sizes[0]) bytes in \(sizes[1]) answers")
        #expect(sizes[2] == 0)
    }

    @Test("the palette opens by Ctrl-K, finds a command by words and runs it, without a pointer (BRW-54)")
    func paletteOpensByCtrlK() async throws {
        let heroes = try await HeroPages(isWriting: false)
        let page = heroes.page
        try await heroes.goToHeroes()
        try await page.press("k", holding: [WebKey.control])
        try await page.wait(until: "document.activeElement.matches('dialog[open] input')")
        try await page.press("his")
        try await page.wait(
            until: "document.querySelector('#commands [aria-selected=true]')?.innerText.includes('History')")
        try await page.press(WebKey.enter)
        try await page.wait(until: "location.pathname.endsWith('/history') && document.querySelector('main h1')")
        try await page.press("k", holding: [WebKey.control])
        try await page.wait(until: "document.activeElement.matches('dialog[open] input')")
        try await page.press(WebKey.escape)
        try await page.wait(until: "!document.querySelector('dialog')")
    }

    @Test("the builder makes a predicate by the keyboard alone, and the list follows (BRW-10, BRW-54)")
    func builderMakesPredicateByKeyboardAlone() async throws {
        let heroes = try await HeroPages(isWriting: false)
        let page = heroes.page
        try await heroes.goToHeroes()
        // Each place is reached by Tab from the one before; the first from the search, which "/" goes to.
        func tab(to test: String, holding keys: [String] = []) async throws {
            for _ in 0..<30 {
                try await page.press(WebKey.tab, holding: keys)
                if try await page.evaluate("return !!(\(test))") == true { return }
            }
            Issue.record("Tab does not lead to \(test)")
        }
        try await page.evaluate("document.querySelector('.grid').focus()")
        try await page.press("/")
        try await tab(to: "document.activeElement.innerText === 'Predicate'")
        try await page.press(WebKey.enter)
        try await page.wait(until: "document.activeElement.matches('.predicaterow input')")
        try await page.press(WebKey.escape)
        try await tab(to: "document.activeElement.innerText === 'Builder'")
        try await page.press(WebKey.enter)
        try await page.wait(until: "document.querySelector('.builder')")
        try await tab(to: "document.activeElement.matches('.builder [aria-label=Value]')")
        try await page.press("Bolt" + WebKey.tab)
        try await page.wait(until: "document.querySelector('.predicaterow input').value === 'name == \"Bolt\"'")
        try await tab(to: "document.activeElement.innerText === 'Apply'", holding: [WebKey.shift])
        try await page.press(WebKey.enter)
        try await page.wait(until: "document.querySelectorAll('.grid .row[data-id]').length === 1")
        #expect(try await heroes.names() == ["Bolt"])
    }
}
