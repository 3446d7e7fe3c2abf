import CoreDataGraph
import Foundation

/// A real web browser without windows, led by the W3C's WebDriver protocol: Chromium with Debian's `chromedriver`.
///
/// Each page has cookies and storage of its own. The browsers end when the driver goes. Source: w3.org/TR/webdriver2.
public final class WebDriver: Sendable {
    private let child: DriverProcess

    /// Whether the programs are on this machine.
    public static var isInstalled: Bool { (try? Toolchain.url("chromedriver")) != nil }

    /// Starts the driver on a free port of the loopback address.
    ///
    /// - Throws: `Toolchain.Failure` where it is not installed or does not start.
    public init() throws {
        child = try DriverProcess()
    }

    /// Opens a browser with an empty profile.
    ///
    /// - Parameter width, height: the size of what is shown, in CSS pixels.
    public func open(width: Int = 1280, height: Int = 900, arguments: [String] = []) async throws -> WebPage {
        var flags = [
            "--headless=new", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-dev-shm-usage",
            "--window-size=\(width),\(height)", "--lang=en-US",
        ]
        // Chromium's own walls need a user that is not root.
        if geteuid() == 0 { flags.append("--no-sandbox") }
        let options = WebValue.object(["args": .array((flags + arguments).map { .string($0) })])
        let wanted = WebValue.object([
            "capabilities": .object(["alwaysMatch": .object(["browserName": "chrome", "goog:chromeOptions": options])])
        ])
        let answer = try await ask("POST", "/session", wanted)
        guard let id = answer["sessionId"].text else {
            throw WebDriverError(code: "session not created", message: "the driver gave no session")
        }
        let page = WebPage(driver: self, session: id)
        try await page.resize(width: width, height: height)
        return page
    }

    /// Sends a command and gives its `value`.
    ///
    /// - Throws: `WebDriverError`, or an error of the connection.
    func ask(_ method: String, _ path: String, _ body: WebValue? = nil) async throws -> WebValue {
        let data = try await LoopbackRequest.send(
            method, port: child.port, path: path, body: try body.map { try JSONEncoder().encode($0) })
        let value = try JSONDecoder().decode(WebValue.self, from: data)["value"]
        if let code = value["error"].text {
            throw WebDriverError(code: code, message: value["message"].text ?? "")
        }
        return value
    }
}
