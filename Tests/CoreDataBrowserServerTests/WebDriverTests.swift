import TestBrowsers
import Testing

@Suite("Web browsers in tests", .enabled(if: WebDriver.isInstalled, "chromedriver is not installed"))
struct WebDriverTests {
    private static let page =
        "data:text/html,<title>T</title><input id=a><button onclick='document.title=a.value'>Go</button><p>x</p>"

    @Test("a page is typed into, clicked, asked and photographed (TEST-10)")
    func pageIsTyped() async throws {
        let page = try await WebDriver().open(width: 640, height: 480)
        try await page.go(to: Self.page)
        try await page.type("Zoë", into: "#a")
        try await page.press("!" + WebKey.left)
        try await page.click("button")
        try await page.wait(until: "document.title == 'Zoë!'")
        let size = try await page.evaluate("return [innerWidth, innerHeight]")
        #expect(size == .array([640, 480]))
        let text = try await page.text(of: "p")
        #expect(text == "x")
        let picture = try await page.screenshot()
        #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        let seconds = try await page.metric("ScriptDuration")
        #expect((seconds ?? -1) >= 0)
        try await page.close()
    }

    @Test("what a page throws and what is not there are errors with their words (TEST-10)")
    func whatPageThrowsAndWhatIsNotThereAreErrorsWithTheirWords() async throws {
        let page = try await WebDriver().open()
        let thrown = await #expect(throws: WebDriverError.self) { try await page.evaluate("throw new Error('no')") }
        #expect(thrown?.code == "javascript error")
        let missing = await #expect(throws: WebDriverError.self) {
            try await page.click("#nothing", within: .milliseconds(50))
        }
        #expect(missing?.code == "no such element")
        let awaited = await #expect(throws: WebDriverError.self) {
            try await page.wait(until: "false", within: .milliseconds(50))
        }
        #expect(awaited?.code == "timeout")
    }
}
