import Foundation

extension WebDriver {
    /// Opens a browser with an empty profile.
    ///
    /// - Parameter width, height: the size of the viewport, in CSS pixels.
    public func open(width: Int = 1280, height: Int = 900, arguments: [String] = []) async throws -> WebPage {
        var flags = [
            "--headless=new", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-dev-shm-usage",
            "--window-size=\(width),\(height)", "--lang=en-US",
        ]
        // Chromium's sandbox does not work for root.
        if geteuid() == 0 { flags.append("--no-sandbox") }
        let options = WebValue.object(["args": .array((flags + arguments).map { .string($0) })])
        let wanted = WebValue.object([
            "capabilities": .object(["alwaysMatch": .object(["browserName": "chrome", "goog:chromeOptions": options])])
        ])
        let answer = try await ask("POST", path: "/session", body: wanted)
        guard let id = answer["sessionId"].text else {
            throw WebDriverError(code: "session not created", message: "the driver gave no session")
        }
        let page = WebPage(driver: self, session: id)
        try await page.resize(width: width, height: height)
        return page
    }
}
