import CoreData
import CoreDataBrowserServer
import StoreContract
import TestBrowsers
import Testing

@Suite(
    "The page in four languages", .serialized,
    .enabled(if: WebDriver.isInstalled, "chromedriver is not installed"), .timeLimit(.minutes(5)))
struct LanguageViewTests {
    /// A store with a number, a date and a day, in a page of a language.
    private static func pages(
        _ language: String, formats: String = "", width: Int = 1280
    ) async throws -> HeroPages {
        let builder = ModelBuilder()
        let entity = builder.entity(
            "Thing",
            [
                "title": .stringAttributeType, "price": .decimalAttributeType, "born": .dateAttributeType,
                "day": .dateAttributeType, "way": .doubleAttributeType,
            ])
        entity.attributesByName["day"]?.userInfo = ["displayStyle": "day"]
        entity.attributesByName["way"]?.userInfo = ["displayStyle": "kilometer"]
        let midnight = Date(timeIntervalSince1970: 1_333_497_600)
        let pages = try await HeroPages(
            width: width,
            fill: { context in
                context.insert(
                    "Thing",
                    [
                        "title": "Lamp", "price": NSDecimalNumber(string: "1000.42"),
                        "born": midnight.addingTimeInterval(45_000), "day": midnight, "way": 10.0,
                    ])
            }, model: builder.model)
        try await pages.page.evaluate(
            """
            localStorage.setItem('opencoredata:settings',
                JSON.stringify({ language: arguments[0], formats: arguments[1], zone: 'America/New_York' }))
            """, [.string(language), .string(formats)])
        return pages
    }

    private static func cells(_ pages: HeroPages) async throws -> [String: String] {
        try await pages.go(to: "entities/Thing")
        try await pages.page.wait(until: "document.querySelector('.grid .row[data-id]')")
        let found = try await pages.page.evaluate(
            """
            const names = [...document.querySelectorAll('.grid [role=columnheader]')].map(c => c.innerText.trim());
            return [...document.querySelectorAll('.grid .row[data-id] .cell')].map((c, i) => names[i] + '=' + c.innerText.trim());
            """
        ).elements.compactMap(\.text)
        let pairs = found.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }.filter { $0.count == 2 }
        return Dictionary(pairs.map { ($0[0].split(separator: "\n").first.map(String.init) ?? "", $0[1]) }) { $1 }
    }

    @Test(
        "numbers, dates, days and units in a list are the region's (L10N-05, L10N-06, L10N-07, L10N-08)",
        arguments: [
            ("en", "en-US", "1,000.42", "Apr 4, 2012, 8:30:00 AM", "Apr 4, 2012", "6.2 mi"),
            ("fr", "", "1\u{202F}000,42", "4 avr. 2012, 08:30:00", "4 avr. 2012", "10 km"),
            ("de", "", "1.000,42", "04.04.2012, 08:30:00", "04.04.2012", "10 km"),
            ("en", "", "1000.42", "2012-04-04 08:30:00", "2012-04-04", "10"),
        ])
    func list(
        language: String, formats: String, number: String, date: String, day: String, way: String
    ) async throws {
        let cells = try await Self.cells(Self.pages(language, formats: formats))
        let plain = { (text: String?) in text?.replacing("\u{202F}", with: " ").replacing("\u{A0}", with: " ") }
        #expect(cells["price"] == number, "\(cells)")
        #expect(plain(cells["born"]) == date && plain(cells["day"]) == day && plain(cells["way"]) == way, "\(cells)")
    }

    @Test("a number that is typed in the region's form is read back, in Arabic digits too (L10N-05)")
    func typed() async throws {
        for (language, formats, typed, number) in [
            ("de", "", "2.345,5", "2345.5"), ("ar", "ar-EG", "٣٬٤٥٦٫٢٥", "3456.25"),
            ("en", "en-IN", "1,23,456", "123456"),
        ] {
            let pages = try await Self.pages(language, formats: formats)
            try await pages.go(to: "objects/Thing/p1")
            try await pages.page.wait(until: "document.querySelector('[data-field=price]')")
            let field = try await pages.page.evaluate("return document.querySelector('[data-field=price]').value").text
            #expect(field == ["de": "1000,42", "ar": "١٠٠٠٫٤٢", "en": "1000.42"][language])
            try await pages.enter(typed, into: "price")
            try await pages.page.wait(until: "document.querySelector('dd.changed')")
            try await pages.page.click(".editbar .primary")
            try await pages.page.wait(until: "document.querySelector('.toast.good')")
            let saved = try pages.stored("Thing", NSPredicate(format: "title == 'Lamp'"))?.value(forKey: "price")
            #expect((saved as? NSDecimalNumber)?.description(withLocale: nil) == number)
        }
    }

    @Test(
        "a date that is typed in the region's form is read, and a day does not shift with the zone (L10N-05, L10N-07)")
    func typedDates() async throws {
        for (language, formats, born, day) in [
            ("de", "", "29.11.2026 14:30", "1.2.2026"), ("fr", "", "29/11/2026 14:30", "1er févr. 2026"),
            ("en", "en-US", "11/29/2026, 2:30 PM", "2/1/2026"), ("ar", "ar-EG", "٢٩/١١/٢٠٢٦، ٢:٣٠ م", "١/٢/٢٠٢٦"),
        ] {
            let pages = try await Self.pages(language, formats: formats)
            try await pages.go(to: "objects/Thing/p1")
            try await pages.page.wait(until: "document.querySelector('[data-field=day]')")
            #expect(
                try await pages.page.evaluate("return document.querySelector('[data-field=day]').value").text
                    == "2012-04-04")
            try await pages.enter(born, into: "born")
            try await pages.page.wait(until: "document.querySelectorAll('dd.changed').length === 1")
            try await pages.enter(day, into: "day")
            try await pages.page.wait(until: "document.querySelectorAll('dd.changed').length === 2")
            try await pages.page.click(".editbar .primary")
            try await pages.page.wait(until: "document.querySelector('.toast.good')")
            let saved = try #require(try pages.stored("Thing", NSPredicate(format: "title == 'Lamp'")))
            let dates = ["born", "day"].map { saved.value(forKey: $0) as? Date }
            // 14:30 in New York; the day is one of UTC.
            #expect(dates == [1_795_980_600, 1_769_904_000].map { Date(timeIntervalSince1970: $0) }, "\(language)")
        }
    }

    @Test("a long text that runs against the page's direction shows its beginning in a list (L10N-02, BRW-54)")
    func cutTexts() async throws {
        for (language, title) in [
            ("ar", String(repeating: "A long text. ", count: 60)),
            ("en", String(repeating: "نص طويل جدًا. ", count: 60)),
        ] {
            let pages = try await Self.pages(language)
            let thing = try #require(try pages.stored("Thing", NSPredicate(format: "title == 'Lamp'")))
            thing.setValue(title, forKey: "title")
            try thing.managedObjectContext?.save()
            try await pages.go(to: "entities/Thing")
            try await pages.page.wait(until: "document.querySelector('.grid .row[data-id] .cell > bdi[title]')")
            let shown = try await pages.page.evaluate(
                """
                const text = document.querySelector('.grid .row[data-id] .cell > bdi[title]');
                const range = document.createRange();
                range.setStart(text.firstChild, 0);
                range.setEnd(text.firstChild, 3);
                const [first, box] = [range.getBoundingClientRect(), text.getBoundingClientRect()];
                return first.left >= box.left - 1 && first.right <= box.right + 1;
                """)
            #expect(shown.flag == true, "\(language)")
        }
    }

    @Test("the page has its language and direction, and keeps a language that is chosen in the menu (L10N-02)")
    func chosen() async throws {
        let pages = try await Self.pages("")
        let page = pages.page
        try await pages.go(to: "")
        try await page.wait(until: "document.documentElement.lang === 'en' && document.documentElement.dir === 'ltr'")
        try await page.click("header .tools ~ button:last-of-type")
        try await page.wait(until: "document.querySelector('#set-language')")
        let names = try await page.evaluate(
            "return [...document.querySelector('#set-language').options].map(o => o.text)")
        #expect(names.elements.compactMap(\.text).suffix(4) == ["English", "Deutsch", "Français", "العربية"])
        try await page.evaluate(
            """
            const menu = document.querySelector('#set-language');
            menu.value = 'ar';
            menu.dispatchEvent(new Event('change'));
            """)
        try await page.wait(until: "document.documentElement.lang === 'ar' && document.documentElement.dir === 'rtl'")
        try await pages.go(to: "entities/Thing")
        try await page.wait(
            until: "document.documentElement.dir === 'rtl' && document.querySelector('.grid .row[data-id]')")
    }

    @Test(
        "no view is wider than the window, from left to right and from right to left (L10N-02)", arguments: [1280, 390])
    func layout(width: Int) async throws {
        for language in ["en", "de", "fr", "ar"] {
            let pages = try await Self.pages(language, width: width)
            for view in ["entities/Thing", "objects/Thing/p1", "import", "../../models/store-1"] {
                try await pages.page.go(to: pages.address(view.hasPrefix("..") ? "models/store-1" : "stores/1/" + view))
                try await pages.page.wait(until: "document.querySelector('main h1, main .grid, main h2')")
                try await pages.page.wait(until: "!document.querySelector('main .spinner')")
                let wide = try await pages.page.evaluate(
                    "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
                ).number
                #expect(wide == 0, "\(view) in \(language)")
                if let folder = ProcessInfo.processInfo.environment["OPENCOREDATA_PICTURES"] {
                    let name = view.replacing("/", with: "-").replacing(".", with: "")
                    let file = URL(fileURLWithPath: folder).appendingPathComponent("\(name)-\(language)-\(width).png")
                    try await pages.page.screenshot().write(to: file)
                }
            }
        }
    }
}
