import CoreData
import CoreDataBrowserServer
import TestBrowsers
import Testing

@Suite(
    "The page of the fetch console in Chromium", .serialized,
    .enabled(if: HeroPages.isPossible, "chromedriver is not installed"))
struct FetchConsolePageTests {
    private static let rows =
        "[...document.querySelectorAll('.result tbody tr')].map(r => r.innerText.replaceAll('\\t', '|')).join()"

    private func choose(_ value: String, in label: String, _ page: WebPage) async throws {
        try await page.wait(until: "document.querySelector(`[aria-label='${arguments[0]}']`)", [.string(label)])
        try await page.evaluate(
            "const s = document.querySelector(`[aria-label='${arguments[0]}']`); s.value = arguments[1]; s.dispatchEvent(new Event('change'));",
            [.string(label), .string(value)])
    }

    @Test("a question is put together by choices, its address is the question, and it is asked as one goes (BRW-45)")
    func questionIsPutTogetherByChoices() async throws {
        let pages = try await HeroPages()
        let page = pages.page
        try await pages.go(to: "console")
        try await page.wait(until: "document.querySelector('.questions select')")
        try await choose("sex", in: "Add a key…", page)
        try await page.wait(until: "\(Self.rows) === 'Female|2,Male|2,nil|1'")
        // Who goes by the keyboard stays where keys are added, and what is typed and not applied yet stays too.
        try await page.evaluate("document.querySelector('[data-question=group] select').focus()")
        try await choose("name", in: "Add a key…", page)
        try await page.wait(
            until: "document.activeElement.closest('[data-question=group]') && \(Self.rows).includes('Female|Alpha|1')")
        try await page.type("name == 'Alpha'", into: ".predicate input")
        // The list of completions goes when the field is left, and what is pressed below it is pressed nevertheless.
        try await page.wait(until: "document.querySelector('.predicate .completions:not([hidden]) li')")
        try await page.click("[aria-label='Remove name']")
        try await page.wait(until: "\(Self.rows) === 'Female|2,Male|2,nil|1'")
        #expect(
            try await page.evaluate("return document.querySelector('.predicate input').value").text == "name == 'Alpha'"
        )
        try await page.press(WebKey.escape)
        try await page.clear(".predicate input")
        try await choose("max", in: "Calculation", page)
        try await choose("birthDate", in: "of which attribute…", page)
        try await page.wait(until: "\(Self.rows).includes('Female|1990-12-31 00:00:00')")
        #expect(try await page.address.contains("group=sex&aggregate=max%3AbirthDate"))
        try await page.click("[aria-label='Remove max:birthDate']")
        try await page.wait(until: "\(Self.rows) === 'Female|2,Male|2,nil|1'")
        try await page.type("count > 1", into: "[data-part=having]")
        try await page.press(WebKey.tab)
        try await page.wait(until: "\(Self.rows) === 'Female|2,Male|2'")
        try await page.reload()
        try await page.wait(until: "\(Self.rows) === 'Female|2,Male|2'")
        #expect(
            try await page.evaluate("return document.querySelector('[data-part=having]').value").text == "count > 1")
    }

    @Test(
        "a chart has a title and a description, its table stands below, and it takes no style or script (BRW-45)",
        arguments: ["bar", "line"])
    func chartHasTitleAndDescription(_ kind: String) async throws {
        let pages = try await HeroPages()
        let page = pages.page
        try await pages.go(to: "console?entity=Hero&group=birthDate@year&kind=\(kind)")
        try await page.wait(
            until: "document.querySelector('.chart svg') && document.querySelectorAll('.result tbody tr').length === 4")
        // Its texts are as large as those around it, also where it is drawn as the page opens.
        let heights = try await page.evaluate(
            "return [...document.querySelectorAll('.chart .number')].map(t => t.getBoundingClientRect().height)")
        #expect(heights.elements.compactMap(\.number).allSatisfy { $0 < 30 } && !heights.elements.isEmpty, "\(heights)")
        let told = try await page.evaluate(
            "const s = document.querySelector('.chart svg'); return s.getAttribute('aria-labelledby').split(' ').map(i => s.querySelector('#' + i).textContent).join(' / ')"
        ).text
        #expect(told?.hasPrefix("Hero: count by birthDate@year / ") == true, "\(told ?? "")")
        #expect(
            try await page.evaluate(
                "return document.querySelectorAll('.chart style, .chart script, .chart [style], .chart [onload]').length"
            ).number == 0)
        let colours = try await page.evaluate(
            "const c = () => getComputedStyle(document.querySelector('.chart .s0')).fill; document.documentElement.dataset.theme = 'light'; const a = c(); document.documentElement.dataset.theme = 'dark'; return [a, c()]"
        )
        .elements.compactMap(\.text)
        #expect(colours.count == 2 && colours[0] != colours[1])
        // Right to left the drawing stays as it is, and within its frame.
        let isWithin = try await page.evaluate(
            "document.documentElement.dir = 'rtl'; const f = document.querySelector('.chart').getBoundingClientRect(); return [...document.querySelectorAll('.chart .number')].every(t => { const r = t.getBoundingClientRect(); return r.left >= f.left && r.right <= f.right; })"
        )
        #expect(isWithin == .bool(true))
    }

    @Test("questions are saved under a name, mistakes are shown, and drawings are saved as files (BRW-45)")
    func savedAndWrong() async throws {
        let pages = try await HeroPages()
        let page = pages.page
        try await pages.go(to: "console?entity=Hero&group=sex&kind=bar")
        try await page.wait(until: "document.querySelector('.chart svg')")
        try await page.evaluate(
            "window.saved = []; URL.createObjectURL = (blob) => { blob.text().then(t => window.saved.push(t)); return 'blob:x'; }"
        )
        try await page.click("[aria-label='Save as SVG']")
        try await page.wait(until: "window.saved[0]?.startsWith('<svg ')")
        try await page.evaluate(
            "[...document.querySelectorAll('.questions button')].find(b => b.innerText === 'Saved').click()")
        try await page.wait(until: "document.querySelector('.menu button')")
        try await page.evaluate(
            "[...document.querySelectorAll('.menu button')].find(b => b.innerText.startsWith('Save this')).click()")
        try await page.type("By sex" + WebKey.enter, into: "dialog input")
        try await page.wait(until: "!document.querySelector('dialog')")
        try await pages.go(to: "console?entity=Hero&group=sex&having=nome+%3E+1")
        try await page.wait(
            until:
                "document.querySelector('.resultplace [role=alert]')?.innerText.includes('not a column of the result')")
        try await page.wait(
            until: "[...document.querySelectorAll('.questions button')].some(b => b.innerText === 'Saved')")
        try await page.evaluate(
            "[...document.querySelectorAll('.questions button')].find(b => b.innerText === 'Saved').click()")
        try await page.wait(until: "[...document.querySelectorAll('.menu button')].some(b => b.innerText === 'By sex')")
        try await page.evaluate(
            "[...document.querySelectorAll('.menu button')].find(b => b.innerText === 'By sex').click()")
        try await page.wait(until: "document.querySelector('.chart svg') && !location.search.includes('having')")
    }

    @Test("the console is in the side and the palette, and German has its texts (BRW-45)")
    func consoleIsInSideAndPalette() async throws {
        let pages = try await HeroPages()
        let page = pages.page
        try await pages.goToHeroes()
        try await page.press("k", holding: [WebKey.control])
        try await page.type("fetch con", into: "dialog input")
        try await page.press(WebKey.enter)
        try await page.wait(until: "document.querySelector('main h1')?.innerText === 'Fetch console'")
        try await page.wait(until: "document.querySelector('.sidefoot [aria-current]')?.innerText === 'Fetch console'")
        try await page.evaluate("localStorage.setItem('opencoredata:settings', JSON.stringify({ language: 'de' }))")
        try await pages.go(to: "console?entity=Hero&group=sex&aggregate=count")
        try await page.wait(
            until:
                "document.querySelector('main h1')?.innerText === 'Abfragekonsole' && document.querySelector('.result')"
        )
        let shown = try await page.evaluate("return document.querySelector('main').innerText").text ?? ""
        #expect(!shown.contains("console.") && !shown.contains("sql.") && !shown.contains("result."), "\(shown)")
    }

    @Test("at the width of a phone nothing of the chart and of a list's tools is cut (BRW-54)", arguments: [320, 390])
    func atWidthOfPhoneNothingOfChartAndOfListsToolsIsCut(_ width: Int) async throws {
        let pages = try await HeroPages()
        let page = pages.page
        try await page.resize(width: width, height: 700)
        try await pages.go(to: "console?entity=Hero&group=birthDate@year&kind=bar")
        try await page.wait(until: "document.querySelector('.chart svg')")
        let cut = """
            const within = (box, part) => { const b = box.getBoundingClientRect(), p = part.getBoundingClientRect(); return p.left >= b.left - 1 && p.right <= b.right + 1; };
            return [...document.querySelectorAll(arguments[0])].filter((part) => part.getClientRects().length && (!within(document.documentElement, part) || !within(part.closest(arguments[1]), part))).map((part) => part.textContent);
            """
        #expect(try await page.evaluate(cut, [.string(".chart svg, .chart text"), .string(".chart")]).elements.isEmpty)
        #expect(
            try await page.evaluate(
                cut, [.string(".questions select, .questions button, .questions input"), .string(".questions")]
            ).elements.isEmpty)
        try await pages.goToHeroes()
        #expect(try await page.evaluate("return document.querySelectorAll('.toolrow button').length").number ?? 0 > 6)
        #expect(try await page.evaluate(cut, [.string(".toolrow button"), .string(".toolrow")]).elements.isEmpty)
    }

    @Test("a query that takes long shows its seconds and is stopped (BRW-45)")
    func queryThatTakesLongShowsItsSecondsAndIsStopped() async throws {
        let pages = try await HeroPages()
        let page = pages.page
        try await pages.go(to: "console")
        try await page.wait(until: "document.querySelector('.questions select')")
        // The answer is held back, as by a store of many objects.
        try await page.evaluate(
            "const ask = window.fetch; window.fetch = (path, init) => String(path).includes('/console?') ? new Promise((_, fail) => init.signal.addEventListener('abort', () => fail(new DOMException('', 'AbortError')))) : ask(path, init);"
        )
        try await choose("sex", in: "Add a key…", page)
        try await page.wait(until: "/[1-9] second/.test(document.querySelector('.working')?.innerText)")
        try await page.click(".working button")
        try await page.wait(until: "document.querySelector('.resultplace h2')?.innerText === 'Stopped'")
        #expect(try await page.evaluate("return document.querySelector('.working')") == .null)
    }
}
