import CoreData
import CoreDataBrowserServer
import StoreContract
import TestBrowsers
import Testing

@Suite(
    "Recordings in Chromium", .serialized, .enabled(if: HeroPages.isPossible, "chromedriver is not installed"))
struct InstrumentViewTests {
    /// Records a program that asks for the powers of heroes one by one.
    static func record(into file: URL, in stack: Stack) throws {
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

    @Test(
        "a planted N+1 is found through the panel with its cure, and a stretch narrows what is shown (BRW-42, BRW-43)")
    func plantedN1IsFoundThroughPanelWithItsCure() async throws {
        let heroes = try await HeroPages(isWriting: false)
        let page = heroes.page
        let file = heroes.store.url.deletingLastPathComponent().appendingPathComponent("heroes.trace")
        try Self.record(into: file, in: heroes.store)
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

    /// A trace of so many events, made by hand.
    private func write(_ count: Int, to file: URL) throws {
        var bytes = TraceFormat.header + TraceFormat.block(.process, Array(#"{"pid":7,"name":"tool"}"#.utf8))
        var text: [UInt8] = []
        text.append(number: UInt32(8))
        bytes += TraceFormat.block(.texts, text + Array("SELECT 1".utf8))
        var events: [UInt8] = []
        for number in 0..<count {
            var record = TraceRecord()
            record.kind = InstrumentEvent.Kind.statement.rawValue
            (record.start, record.duration, record.thread) = (UInt64(number) * 1_000, 500, 1)
            (record.detail, record.rows) = (1, UInt32(number))
            record.append(to: &events)
        }
        try Data(bytes + TraceFormat.block(.events, events) + TraceFormat.block(.end, [])).write(to: file)
    }

    @Test("of 300,000 events only those in sight are in the page, and the last is reached by scrolling (BRW-42)")
    func manyEvents() async throws {
        let heroes = try await HeroPages(isWriting: false)
        let page = heroes.page
        let file = heroes.store.url.deletingLastPathComponent().appendingPathComponent("long.trace")
        try write(300_000, to: file)
        try heroes.browser.openTrace(file)
        try await page.go(to: heroes.server.address + "instruments/1")
        try await page.wait(until: "document.querySelectorAll('.events .event .kind').length > 5")
        for share in [0.25, 0.5, 1.0] {
            try await page.evaluate(
                """
                const box = document.querySelector('.events');
                box.scrollTop = (box.scrollHeight - box.clientHeight) * arguments[0];
                """, [.number(share)])
            try await page.wait(
                until: "[...document.querySelectorAll('.events .event')].every(row => row.querySelector('.kind'))")
            #expect(
                try await page.evaluate("return document.querySelectorAll('.events .event').length").number ?? 99 < 40)
        }
        try await page.wait(
            until: "[...document.querySelectorAll('.events .event')].at(-1).ariaRowIndex === '300000'")
        #expect(try await page.text(of: ".events .event:last-child")?.contains("299,999") == true)
    }
}
