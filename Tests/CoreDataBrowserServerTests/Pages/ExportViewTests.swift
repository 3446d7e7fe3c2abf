import CoreData
import CoreDataBrowserServer
import TestBrowsers
import Testing

@Suite("Exports in Chromium", .serialized, .enabled(if: HeroPages.isPossible, "chromedriver is not installed"))
struct ExportViewTests {
    /// Presses a button of the view and an entry of its menu; gives name and text of the file that is saved.
    private func saved(_ button: String, _ entry: String, _ page: WebPage) async throws -> [String] {
        try await page.evaluate(
            """
            window.savedFile = null;
            URL.createObjectURL = (blob) => { blob.text().then((text) => { window.savedText = text; }); return '#'; };
            HTMLAnchorElement.prototype.click = function () { window.savedFile = this.download; };
            """)
        let find = { (selector: String, text: String) in
            "[...document.querySelectorAll('\(selector)')].find(e => e.innerText.trim() === '\(text)')"
        }
        try await page.wait(until: find("main button", button))
        try await page.evaluate(find("main button", button) + ".click()")
        try await page.wait(until: find("[role=menuitem], [role=menuitemcheckbox]", entry))
        try await page.evaluate(find("[role=menuitem], [role=menuitemcheckbox]", entry) + ".click()")
        try await page.wait(until: "window.savedFile && window.savedText")
        return [try await page.evaluate("return window.savedFile"), try await page.evaluate("return window.savedText")]
            .map { $0.text ?? "" }
    }

    @Test("a list is saved as a table of what its predicate selects, and a store as lines of JSON (BRW-47)")
    func listIsSavedAsTableOfWhatItsPredicateSelects() async throws {
        let heroes = try await HeroPages()
        let page = heroes.page
        try await heroes.goToHeroes("sort=name&where=name%20%3D%3D%20%22Bolt%22")
        let table = try await saved("Copy", "Save as CSV", page)
        #expect(table[0] == "Hero.csv")
        let lines = table[1].split(separator: "\r\n", omittingEmptySubsequences: true)
        #expect(
            lines.count == 2 && lines[0].contains("secretIdentity") && lines[1].contains("Ben Brook"), "\(table[1])")
        try await page.go(to: heroes.address("stores/1"))
        let store = try await saved("Export", "Save as JSON Lines", page)
        #expect(store[0] == "SuperDB.jsonl")
        #expect(store[1].split(separator: "\n").count == 5 && store[1].contains("Ann Archer"))
    }
}
