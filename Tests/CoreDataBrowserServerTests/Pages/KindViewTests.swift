import CoreData
import CoreDataBrowserServer
import StoreContract
import TestBrowsers
import Testing

@Suite(
    "Kinds of values in Chromium", .serialized,
    .enabled(if: HeroPages.isPossible, "chromedriver is not installed"))
struct KindViewTests {
    private static func model() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Shop",
            [
                "name": .stringAttributeType, "email": .stringAttributeType, "phone": .stringAttributeType,
                "website": .stringAttributeType, "color": .stringAttributeType, "duration": .integer32AttributeType,
                "price": .decimalAttributeType, "currency": .stringAttributeType, "percentDone": .doubleAttributeType,
                "notes": .stringAttributeType, "payload": .stringAttributeType, "latitude": .doubleAttributeType,
                "longitude": .doubleAttributeType, "street": .stringAttributeType, "city": .stringAttributeType,
                "gpx": .binaryDataAttributeType,
            ])
        return builder.model
    }

    private static let notes =
        "# Opening\n\n- weekdays\n- **never** on Sunday\n\n[More](https://example.org) <b>x</b> [bad](javascript:alert(1))"

    private static let track = """
        <?xml version="1.0"?><gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>Ferry</name><trkseg>
        <trkpt lat="-17" lon="179.9"/><trkpt lat="-17" lon="-179.9"/></trkseg></trk></gpx>
        """

    private func pages(width: Int = 1280) async throws -> (HeroPages, WebPage, String) {
        let pages = try await HeroPages(
            width: width,
            fill: { context in
                for number in 0..<6 {
                    context.insert(
                        "Shop",
                        [
                            "name": "Shop \(number)", "email": "shop\(number)@example.org",
                            "phone": "+49 30 90182\(number)",
                            "website": "https://example.org/\(number)", "color": "#1e90ff", "duration": 5_400 + number,
                            "price": NSDecimalNumber(string: "12.5"), "currency": "EUR", "percentDone": 0.25,
                            "notes": Self.notes, "payload": "{\"rows\": [1, 2]}", "latitude": 52.5, "longitude": 13.4,
                            "street": "Ring 1", "city": "Berlin",
                            "gpx": Data(Self.track.utf8),
                        ])
                }
            }, model: Self.model())
        let first = try #require(try pages.stored("Shop", NSPredicate(format: "name == 'Shop 0'")))
        return (pages, pages.page, first.objectID.shortText)
    }

    @Test("a list shows links, colours and numbers by their kinds (BRW-39, APP-12)")
    func listShowsKinds() async throws {
        let (pages, page, _) = try await pages()
        try await pages.go(to: "entities/Shop")
        try await page.wait(until: "document.querySelector('.grid a[href^=\"mailto:shop0@\"]')")
        let shown = try await page.evaluate("return document.querySelector('.grid').innerText").text ?? ""
        for part in ["1:30:00", "12.5 EUR", "25 %"] { #expect(shown.contains(part), "\(part) of \(shown)") }
        let found = try await page.evaluate(
            """
            return [document.querySelectorAll('.grid a[href^="tel:+4930"]').length,
                document.querySelectorAll('.grid a[href^="https://example.org"][rel="noopener noreferrer"]').length,
                document.querySelectorAll('.grid .swatch').length]
            """
        ).elements.compactMap(\.number)
        #expect(found == [6, 6, 6])
    }

    @Test("an object shows what its values say, Markdown without HTML, JSON as a tree, and the place (BRW-39, MAP-04)")
    func objectShowsKinds() async throws {
        let (pages, page, id) = try await pages()
        try await pages.go(to: "objects/\(id)")
        // The pane may be drawn again when what is staged is known: all is there at one time.
        try await page.wait(
            until: """
                (() => {
                    const m = document.querySelector('.markdown');
                    return m?.querySelector('h3') && m.querySelectorAll('li').length === 2
                        && m.querySelectorAll('b, script').length === 0 && m.querySelectorAll('a').length === 1
                        && document.querySelector('.smallmap .mappoint')
                        && document.querySelector('[data-kind=json] details');
                })()
                """)
        try await page.wait(until: "document.querySelector('[data-kind=track] .trackline')")
        // Across the date line the way stays together: 21 km and not the circumference.
        let way = try await page.evaluate("return document.querySelector('[data-kind=track]').innerText").text ?? ""
        #expect(way.contains("Ferry") && way.contains("2 points, 21.3 km"), "\(way)")
        #expect(
            try await page.evaluate("return document.querySelector('[data-kind=postalAddress]').innerText").text?
                .contains("Ring 1, Berlin") == true)
        if let folder = ProcessInfo.processInfo.environment["CORE_DATA_SCREENSHOTS"] {
            try await page.screenshot().write(to: URL(fileURLWithPath: folder).appendingPathComponent("kinds.png"))
        }
        try await page.evaluate("document.querySelector('[data-kind=place] .kindline a').click()")
        try await page.wait(
            until: "location.pathname.endsWith('/map') && document.querySelectorAll('.mappoint').length > 0")
    }

    @Test("values are entered as people write them, and others are refused beside the field (BRW-39)")
    func valuesAreEnteredByKind() async throws {
        let (pages, page, id) = try await pages()
        try await pages.go(to: "objects/\(id)")
        let field = "[data-field=duration]"
        try await page.wait(until: "document.querySelector('\(field)')?.value === '1:30:00'")
        try await page.clear(field)
        try await page.type("soon\u{E007}", into: field)
        try await page.wait(until: "document.querySelector('\(field)').closest('dd').innerText.includes('no duration')")
        try await page.clear(field)
        try await page.type("2h 15m\u{E007}", into: field)
        try await page.wait(until: "document.querySelector('\(field)')?.value === '2:15:00'")
        try await page.clear("[data-field=percentDone]")
        try await page.type("40 %\u{E007}", into: "[data-field=percentDone]")
        try await page.wait(until: "document.querySelectorAll('.changed').length === 2")
        try await page.click(".editbar .primary")
        try await page.wait(
            until: "document.querySelector('.editbar').hidden || document.querySelector('.editbar .primary').disabled")
        let stored = try #require(try pages.stored("Shop", NSPredicate(format: "name == 'Shop 0'")))
        #expect(stored.value(forKey: "duration") as? Int == 8_100)
        #expect(stored.value(forKey: "percentDone") as? Double == 0.4)
    }

    @Test("a guess is dismissed by the keyboard, stays dismissed, and comes back when the choice is forgotten (BRW-39)")
    func guessIsDismissed() async throws {
        let (pages, page, id) = try await pages()
        try await pages.go(to: "objects/\(id)")
        try await page.wait(until: "document.querySelector('[data-kind=telephone] .kindname')")
        try await page.evaluate("document.querySelector('[data-kind=telephone] .kindname').focus()")
        try await page.press(WebKey.enter)
        try await page.wait(until: "document.querySelector('.menu button')")
        // The last one is "No kind".
        try await page.press("\u{E010}")
        try await page.press(WebKey.enter)
        try await page.wait(until: "!document.querySelector('[data-kind=telephone]')")
        try await pages.go(to: "entities/Shop")
        try await page.wait(until: "document.querySelector('.grid a[href^=\"mailto:\"]')")
        #expect(
            try await page.evaluate("return document.querySelectorAll('.grid a[href^=\"tel:\"]').length").number == 0)
        try await pages.restart()
        try await pages.go(to: "objects/\(id)")
        try await page.wait(until: "document.querySelector('[data-kind=mailAddress]')")
        #expect(try await page.evaluate("return document.querySelectorAll('[data-kind=telephone]').length").number == 0)
        try await page.click("[data-kind=none] .kindname")
        try await page.wait(until: "document.querySelectorAll('.menu button').length > 1")
        try await page.evaluate(
            "[...document.querySelectorAll('.menu button')].find((b) => b.innerText.includes('Forget')).click()")
        try await page.wait(until: "document.querySelector('[data-kind=telephone]')")
    }

    @Test("the device's position fills a place, and one that is denied says so (MAP-08)")
    func positionFillsPlace() async throws {
        let (pages, page, id) = try await pages()
        try await page.setPosition(0, 0, isAllowed: false)
        try await pages.go(to: "objects/\(id)")
        try await page.wait(until: "document.querySelector('[data-kind=place] .line button')")
        try await page.click("[data-kind=place] .line button")
        try await page.wait(until: "document.querySelector('[data-kind=place]').innerText.includes('Access Denied')")
        try await page.setPosition(-33.86, 151.21)
        try await page.click("[data-kind=place] .line button")
        try await page.wait(until: "document.querySelector('[data-field=latitude]')?.value.startsWith('-33.86')")
        #expect(
            try await page.evaluate("return document.querySelector('[data-field=longitude]').value").text?.hasPrefix(
                "151.21")
                == true)
    }

    @Test("the menu of sharing has mail, copies, paper and files (MSG-07)")
    func objectIsShared() async throws {
        let (pages, page, id) = try await pages()
        try await pages.go(to: "objects/\(id)")
        try await page.wait(
            until: "[...document.querySelectorAll('.objecthead button')].some((b) => b.innerText === 'Share')")
        try await page.evaluate(
            "[...document.querySelectorAll('.objecthead button')].find((b) => b.innerText === 'Share').click()")
        try await page.wait(until: "document.querySelectorAll('.menu button').length >= 4")
        let items = try await page.evaluate("return document.querySelector('.menu').innerText").text ?? ""
        for item in ["Write a mail", "Copy as text", "Print", "Save as JSON"] {
            #expect(items.contains(item), "\(items)")
        }
    }

    @Test("a phone's width holds all kinds, and Arabic has their names (BRW-54)")
    func phoneWidthHoldsKinds() async throws {
        let (pages, page, id) = try await pages(width: 360)
        try await page.evaluate("localStorage.setItem('opencoredata:settings', JSON.stringify({ language: 'ar' }))")
        try await pages.go(to: "objects/\(id)")
        try await page.wait(until: "document.querySelector('.markdown') && document.documentElement.dir === 'rtl'")
        let widths = try await page.evaluate("return [innerWidth, document.documentElement.scrollWidth]").elements
        #expect((widths.last?.number ?? 9_999) <= (widths.first?.number ?? 0))
        let shown = try await page.evaluate("return document.querySelector('main').innerText").text ?? ""
        #expect(shown.contains("رقم هاتف") && !shown.contains("kinds."), "\(shown)")
        if let folder = ProcessInfo.processInfo.environment["CORE_DATA_SCREENSHOTS"] {
            try await page.screenshot().write(to: URL(fileURLWithPath: folder).appendingPathComponent("kinds-ar.png"))
        }
    }
}
