import CoreData
import CoreDataBrowserServer
import CoreDataTestSupport
import Testing

@Suite(
    "Recordings in Chromium", .serialized, .enabled(if: HeroPages.isPossible, "chromedriver is not installed"))
struct InstrumentViewTests {
    private func record(into file: URL, in stack: Stack) throws {
        let context = stack.newContext()
        for number in 0..<40 {
            let hero = context.insert("Hero", ["name": "Hero \(number)"])
            context.insert("Power", ["name": "Flight", "hero": hero])
        }
        try context.save()
        context.reset()
        try CoreDataInstruments.startRecording(to: file)
        defer { CoreDataInstruments.stopRecording() }
        for hero in try context.all("Hero") { _ = (hero.value(forKey: "powers") as? Set<NSManagedObject>)?.count }
        CoreDataInstruments.stopRecording()
    }

    @Test("BRW-42, BRW-43: a planted N+1 is found through the panel with its cure, and a stretch narrows what is shown")
    func planted() async throws {
        let heroes = try await HeroPages(isWriting: false)
        let page = heroes.page
        let file = heroes.store.url.deletingLastPathComponent().appendingPathComponent("heroes.trace")
        try record(into: file, in: heroes.store)
        try heroes.browser.openTrace(file)
        try await page.go(to: heroes.server.address + "instruments")
        try await page.wait(until: "document.querySelector('main a.card')")
        try await page.click("main a.card")
        try await page.wait(until: "document.querySelector('main .finding pre')")
        let text = try #require(try await page.text(of: "main"))
        #expect(text.contains("relationshipKeyPathsForPrefetching = [\"powers\"]"), "\(text)")
        try await page.wait(until: "document.querySelectorAll('.events .event .kind').length > 5")
        let painted = """
            const canvas = document.querySelector('.timeline canvas');
            const bytes = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
            return bytes.filter((value, index) => index % 4 === 3 && value > 0).length;
            """
        #expect(try await page.evaluate(painted).number ?? 0 > 100)
        // The first of the twenty parts, by the keyboard.
        try await page.evaluate(
            """
            const canvas = document.querySelector('.timeline canvas');
            canvas.focus();
            canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
            """)
        try await page.wait(until: "location.search.includes('from=') && location.search.includes('to=')")
        try await page.wait(until: "document.querySelector('main .resultplace:not([aria-busy])')")
        if let path = ProcessInfo.processInfo.environment["INSTRUMENTS_PICTURE"] {
            try await page.screenshot().write(to: URL(fileURLWithPath: path))
        }
    }
}
