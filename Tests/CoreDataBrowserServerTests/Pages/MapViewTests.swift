import CoreData
import CoreDataBrowserServer
import StoreContract
import TestBrowsers
import Testing

@Suite(
    "The page of the map in Chromium", .serialized,
    .enabled(if: HeroPages.isPossible, "chromedriver is not installed"))
struct MapViewTests {
    static func model() throws -> NSManagedObjectModel {
        try SuperDB.model(
            """
            <attribute name="lat" optional="YES" attributeType="Double"/>
            <attribute name="lng" optional="YES" attributeType="Double"/>
            """)
    }

    static func fill(_ context: NSManagedObjectContext) {
        for number in 0..<40 {
            context.insert("Hero", ["name": "B\(number)", "lat": 52.5 + Double(number) / 100, "lng": 13.4])
        }
        context.insert("Hero", ["name": "Suva", "lat": -18.1, "lng": 178.4])
    }

    private func pages(width: Int = 1280) async throws -> HeroPages {
        try await HeroPages(width: width, fill: Self.fill, model: Self.model())
    }

    @Test("clusters zoom in, points lead to objects, and what is in sight is a list (BRW-39)")
    func clustersZoomInPointsLeadToObjects() async throws {
        let pages = try await pages()
        let page = pages.page
        try await pages.go(to: "entities/Hero")
        try await page.wait(until: "document.querySelector('.toolbar a.button')")
        try await page.evaluate("document.querySelector('.toolbar a.button').click()")
        try await page.wait(
            until:
                "document.querySelectorAll('.mappoint').length === 2 && document.querySelector('.map .land')?.getAttribute('d')?.length > 1000"
        )
        #expect(
            try await page.evaluate("return document.querySelector('.mappoint a.single').ariaLabel").text?.hasPrefix(
                "Hero/p") == true)
        try await page.evaluate("document.querySelector('.mappoint button.cluster').click()")
        try await page.wait(
            until: "document.querySelectorAll('.mappoint').length > 2 && location.search.includes('box=')")
        try await page.wait(until: "document.querySelector('.mappage [role=status] a')")
        #expect(
            try await page.evaluate("return document.querySelector('.mappage [role=status]').innerText").text?
                .hasPrefix("40 objects") == true)
        try await page.evaluate("document.querySelector('.map').focus()")
        try await page.press("-")
        try await page.wait(until: "document.querySelectorAll('.mappoint').length > 0")
        try await page.evaluate("document.querySelector('.mappage [role=status] a')?.click()")
        try await page.wait(
            until: "document.querySelector('.grid .row[data-id]') && location.search.includes('BETWEEN')")
    }

    @Test("a small window holds the map, and German has its texts (BRW-39)")
    func smallWindowHoldsMap() async throws {
        let pages = try await pages(width: 320)
        let page = pages.page
        try await page.evaluate("localStorage.setItem('opencoredata:settings', JSON.stringify({ language: 'de' }))")
        try await pages.go(to: "map")
        try await page.wait(until: "document.querySelectorAll('.mappoint').length === 2")
        let widths = try await page.evaluate("return [innerWidth, document.documentElement.scrollWidth]").elements
        #expect((widths.last?.number ?? 9_999) <= (widths.first?.number ?? 0))
        let shown = try await page.evaluate("return document.querySelector('main').innerText").text ?? ""
        #expect(shown.contains("Karte") && !shown.contains("map."), "\(shown)")
    }

    @Test(
        "a map breaks no rule of accessibility, in light and dark (BRW-39, BRW-54)",
        .enabled(if: AxeCore.rules != nil, "axe-core is not installed"), arguments: [320, 1280])
    func mapBreaksNoRuleOfAccessibility(width: Int) async throws {
        let page = try await pages(width: width)
        let rules = try #require(AxeCore.rules)
        for theme in ["light", "dark"] {
            try await page.go(to: "map")
            try await page.page.wait(until: "document.querySelectorAll('.mappoint').length === 2")
            try await page.page.evaluate("document.documentElement.dataset.theme = arguments[0]", [.string(theme)])
            try await page.page.evaluate(rules)
            let found = try await page.page.evaluate(
                "return (await axe.run()).violations.map(v => `${v.id}: ${v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)).join(' | ')}`)"
            )
            #expect(found.elements.isEmpty, "\(theme): \(found.elements.compactMap(\.text))")
        }
    }

    @Test(
        "Leaflet shows land and points on both sides of the date line, and keys ask for what is in sight (MAP-02, MAP-03)",
        .enabled(if: hasLeaflet, "libjs-leaflet is not installed"))
    func leafletShowsPoints() async throws {
        let pages = try await HeroPages(
            fill: { context in
                context.insert("Hero", ["name": "Suva", "lat": -18.1, "lng": 178.4])
                context.insert("Hero", ["name": "Apia", "lat": -13.8, "lng": -171.8])
                context.insert("Hero", ["name": "Berlin", "lat": 52.5, "lng": 13.4])
            }, model: Self.model())
        let page = pages.page
        try await pages.go(to: "map?entity=Hero&box=170,-30,-165,0")
        try await page.wait(
            until:
                "document.querySelector('.leafletmap .land') && document.querySelectorAll('.mappoint a.single').length === 2"
        )
        let inSight = """
            const map = document.querySelector('.leafletmap').getBoundingClientRect();
            return [...document.querySelectorAll('.mappoint a.single')].filter((a) => {
                const at = a.getBoundingClientRect();
                return at.left >= map.left && at.right <= map.right && at.top >= map.top && at.bottom <= map.bottom;
            }).length
            """
        #expect(try await page.evaluate(inSight).number == 2)
        try await page.evaluate("document.querySelector('.leafletmap').focus()")
        try await page.press("\u{E014}")
        try await page.wait(until: "!location.search.includes('box=170')")
        try await page.evaluate(
            "[...document.querySelectorAll('.mappage .line button')].find((b) => b.innerText === 'Show all').click()")
        try await page.wait(until: "document.querySelectorAll('.mappoint').length === 3")
        if let folder = ProcessInfo.processInfo.environment["CORE_DATA_SCREENSHOTS"] {
            try await page.screenshot().write(to: URL(fileURLWithPath: folder).appendingPathComponent("map.png"))
        }
    }

    @Test("without Leaflet the page draws the map, which keys move and zoom (MAP-03)")
    func pageDrawsMapWithoutLeaflet() async throws {
        let pages = try await pages()
        let page = pages.page
        try await page.block(["*/assets/leaflet/*"])
        try await pages.go(to: "map?entity=Hero&box=0,40,30,60")
        try await page.wait(
            until:
                "!document.querySelector('.leafletmap') && document.querySelector('.map .land')?.getAttribute('d')?.length > 1000 && document.querySelectorAll('.mappoint').length > 0"
        )
        try await page.evaluate("document.querySelector('.map').focus()")
        try await page.press("+")
        try await page.wait(until: "!location.search.includes('box=0')")
        try await page.press("\u{E011}")
        try await page.wait(until: "document.querySelectorAll('.mappoint').length === 2")
    }

    private static let hasLeaflet = FileManager.default.fileExists(
        atPath: "/usr/share/javascript/leaflet/leaflet.esm.min.js")
}
