import CoreData
import CoreDataBrowserServer
import StoreContract
import TestBrowsers
import Testing

@Suite(
    "The import in Chromium", .serialized,
    .enabled(if: HeroPages.isPossible, "chromedriver is not installed"))
struct ImportViewTests {
    @Test("a chosen file is mapped, tried and imported, and the list has its objects (BRW-48)")
    func chosenFileIsMapped() async throws {
        let heroes = try await HeroPages()
        let page = heroes.page
        try await page.go(to: heroes.address("stores/1/import"))
        try await page.wait(until: "document.querySelector('.side input[role=switch]')")
        if try await page.evaluate("return document.querySelector('main input[type=file]') !== null") != .bool(true) {
            try await page.click(".side input[role=switch]")
        }
        try await page.wait(until: "document.querySelector('main input[type=file]')")
        try await page.evaluate(
            """
            const files = new DataTransfer();
            files.items.add(new File(['Name,Remark\\nZeta,x\\nYota,y\\n'], 'heroes.csv'));
            const input = document.querySelector('main input[type=file]');
            input.files = files.files;
            input.dispatchEvent(new Event('change'));
            """)
        try await page.wait(until: "document.querySelectorAll('main tbody select').length === 2")
        #expect(try await page.evaluate("return document.querySelector('main tbody select').value").text == "name")
        try await page.click("main .line button:not(.primary)")
        try await page.wait(until: "document.querySelector('main')?.innerText.includes('Result of the dry run')")
        try await page.click("main button.primary")
        try await page.wait(
            until: "[...document.querySelectorAll('main h2')].some((x) => x.textContent === 'Imported')")
        try await page.go(to: heroes.address("stores/1/entities/Hero?sort=name"))
        try await page.wait(until: "document.querySelector('main')?.innerText.includes('Zeta')")
    }

    @Test("objects of several entities keep their links, whichever entity comes first in the file (BRW-48)")
    func severalEntities() async throws {
        let heroes = try await HeroPages()
        let page = heroes.page
        try await page.go(to: heroes.address("stores/1/import"))
        try await page.wait(until: "document.querySelector('main input[type=file]')")
        try await page.evaluate(
            """
            const files = new DataTransfer();
            const lines = [{ entity: 'Hero', objectID: 'a', name: 'Zeta' }, { entity: 'Power', objectID: 'b', name: 'Flight', hero: 'a' }];
            files.items.add(new File(lines.map((line) => JSON.stringify(line) + '\\n'), 'objects.jsonl'));
            const input = document.querySelector('main input[type=file]');
            input.files = files.files;
            input.dispatchEvent(new Event('change'));
            """)
        try await page.wait(until: "document.querySelector('main .importrun button.primary')")
        try await page.click("main .importrun button.primary")
        try await page.wait(
            until: "[...document.querySelectorAll('main h2')].some((x) => x.textContent === 'Imported')")
        let context = heroes.store.newContext()
        let powers = try context.performAndWait {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Power")).map {
                $0.value(forKeyPath: "hero.name") as? String
            }
        }
        #expect(powers == ["Zeta"])
    }
}
