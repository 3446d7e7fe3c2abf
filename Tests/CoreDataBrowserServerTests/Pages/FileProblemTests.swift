import CoreData
import CoreDataBrowserServer
import StoreContract
import TestBrowsers
import Testing

@Suite(
    "Stores whose files change while a real web browser shows them", .serialized,
    .enabled(if: WebDriver.isInstalled, "chromedriver is not installed"))
struct FileProblemTests {
    private static let isSaved =
        "document.querySelector('.editbar').hidden || document.querySelector('.editbar .primary').disabled"

    /// Heroes of whom one has a staged change, beside a second store.
    private func heroes(_ fill: (NSManagedObjectContext) throws -> Void = SuperDB.fill) async throws -> HeroPages {
        let heroes = try await HeroPages(fill: fill)
        let other = heroes.store.url.deletingLastPathComponent().appendingPathComponent("Other.sqlite")
        try Self.make(other)
        try heroes.browser.open(other)
        try await heroes.go(to: "objects/\(try heroes.id("Echo"))")
        try await heroes.enter("Echo II", into: "name")
        try await heroes.page.wait(until: "document.querySelector('dd.changed')")
        return heroes
    }

    /// Makes a store with the five heroes and closes it.
    private static func make(_ url: URL) throws {
        let stack = try Stack(SuperDB.model(), url: url)
        SuperDB.fill(stack.context)
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
    }

    private func place(_ name: String, beside heroes: HeroPages) -> URL {
        heroes.store.url.deletingLastPathComponent().appendingPathComponent(name)
    }

    /// Presses Save, which is refused.
    private func failToSave(_ heroes: HeroPages) async throws {
        try await heroes.page.wait(until: "document.querySelector('.editbar .staged')?.innerText.includes('1')")
        try await heroes.page.click(".editbar .primary")
        try await heroes.page.wait(
            until: "document.querySelector('.toast.error')?.innerText.includes('Nothing was saved')")
    }

    /// The list says what happened and what to do, and the other store is shown.
    private func look(_ heroes: HeroPages, for title: String, _ advice: String) async throws {
        let page = heroes.page
        try await heroes.go(to: "entities/Hero?sort=-name")
        try await page.wait(
            until: "document.querySelector('.state.file h2')?.innerText.includes(arguments[0])", [.string(title)])
        let text = try await page.text(of: ".state.file") ?? ""
        #expect(
            text.contains(advice) && text.contains(heroes.store.url.path) && text.contains("Staged changes are kept"))
        try await page.go(to: heroes.address("stores/2/entities/Hero"))
        try await page.wait(until: "document.querySelectorAll('.grid .row[data-id]').length === 5")
    }

    /// What was staged is there again, and is saved; of another file it is offered first.
    private func saveStaged(_ heroes: HeroPages, ofAnotherFile: Bool = false) async throws {
        let page = heroes.page
        try await heroes.goToHeroes()
        if ofAnotherFile {
            try await page.wait(
                until: "document.querySelector('.editbar .found')?.innerText.includes('1 unsaved change')")
            try await page.click(".editbar .found button")
        }
        try await page.wait(until: "document.querySelector('.editbar .staged')?.innerText.includes('1')")
        try await page.click(".editbar .primary")
        try await page.wait(until: Self.isSaved)
        #expect(try heroes.hero("Echo II") != nil)
    }

    @Test("a moved file is reported at once, edits are kept, and the page goes on once it is back (BRW-20)")
    func movedFileIsReportedAtOnce() async throws {
        let heroes = try await heroes()
        let page = heroes.page
        let files = StoreFiles(url: heroes.store.url)
        let away = place("Away.sqlite", beside: heroes)
        try files.move(to: away)
        try await page.wait(until: "document.querySelector('.filenotice')?.innerText.includes('is missing')")
        try await failToSave(heroes)
        try await look(heroes, for: "is missing", "Put it back")
        try await heroes.go(to: "entities/Hero")
        try await page.click(".state.file .primary")
        try await page.wait(
            until:
                "[...document.querySelectorAll('.toast.error')].some(t => t.innerText.includes('was deleted or moved'))"
        )
        try StoreFiles(url: away).move(to: files.url)
        // The page hears of it by itself.
        try await page.wait(until: "document.querySelectorAll('.grid .row[data-id]').length === 5")
        try await saveStaged(heroes)
    }

    @Test("a file in the place of the store's is not written to, and is shown when it is opened again (BRW-20)")
    func fileInPlaceOfStoresIsNotWritten() async throws {
        let heroes = try await heroes()
        let page = heroes.page
        let files = StoreFiles(url: heroes.store.url)
        let (backup, stranger) = (place("Backup.sqlite", beside: heroes), place("Stranger.sqlite", beside: heroes))
        try files.copy(to: backup)
        try Self.make(stranger)
        files.remove()
        try StoreFiles(url: stranger).move(to: files.url)
        try await page.wait(until: "document.querySelector('.filenotice')?.innerText.includes('replaced by another')")
        try await failToSave(heroes)
        try await look(heroes, for: "replaced by another", "Open it again")
        #expect(try heroes.hero("Echo") != nil)
        // Another store's list has nothing staged.
        try await heroes.go(to: "entities/Hero")
        try await page.click(".state.file .primary")
        try await page.wait(until: "document.querySelectorAll('.grid .row[data-id]').length === 5")
        #expect(try await page.evaluate("return document.querySelector('.editbar').hidden") == true)
        files.remove()
        try StoreFiles(url: backup).move(to: files.url)
        try await page.click(".filenotice .primary")
        try await page.wait(
            until: "!document.querySelector('.filenotice') && document.querySelector('.grid .row[data-id]')")
        try await saveStaged(heroes, ofAnotherFile: true)
    }

    @Test("a file that is damaged ends nothing else, and a backup in its place has what was staged (BRW-20)")
    func fileThatIsDamagedEndsNothingElse() async throws {
        // More than fits into what SQLite keeps in memory.
        let heroes = try await heroes { context in
            SuperDB.fill(context)
            for number in 0..<1_200 {
                let hero = NSEntityDescription.insertNewObject(forEntityName: "Hero", into: context)
                hero.setValue("Hero \(number)", forKey: "name")
                hero.setValue(String(repeating: "x", count: 8_000), forKey: "secretIdentity")
            }
        }
        let page = heroes.page
        let files = StoreFiles(url: heroes.store.url)
        let backup = place("Backup.sqlite", beside: heroes)
        try files.copy(to: backup)
        try files.damage()
        try await look(heroes, for: "is damaged", "coredata recover")
        try await heroes.go(to: "entities/Hero")
        try await page.wait(until: "document.querySelector('.state.file')")
        try await failToSave(heroes)
        // What cannot be opened again is told, and can be tried once more.
        try await page.click(".state.file .primary")
        try await page.wait(
            until: "[...document.querySelectorAll('.toast.error')].some(t => t.innerText.includes('damaged'))")
        try await look(heroes, for: "is damaged", "coredata recover")
        files.remove()
        try StoreFiles(url: backup).move(to: files.url)
        try await heroes.go(to: "entities/Hero")
        try await page.click(".state.file .primary")
        try await page.wait(until: "document.querySelector('.grid .row[data-id]')")
        try await saveStaged(heroes, ofAnotherFile: true)
    }
}
