import Foundation
import TestBasics
import TestServers

/// Headless Chromium, controlled through Debian's `chromedriver` by the W3C WebDriver protocol.
///
/// Each page has its own cookies and storage. The browsers end when the driver is released. Source:
/// w3.org/TR/webdriver2.
public final class WebDriver: Sendable {
    private let child: DriverProcess

    /// Whether `chromedriver` is on the search path.
    public static var isInstalled: Bool { (try? Toolchain.url("chromedriver")) != nil }

    /// Starts the driver on a free port of the loopback address.
    ///
    /// - Throws: `Toolchain.Failure` if `chromedriver` is not installed or does not start.
    public init() throws {
        child = try DriverProcess()
    }

    /// Sends a command and returns the `value` in the response.
    ///
    /// - Throws: `WebDriverError`, or an error of the connection.
    func ask(_ method: String, path: String, body: WebValue? = nil) async throws -> WebValue {
        let data = try await LoopbackRequest.send(
            method, port: child.port, path: path, body: try body.map { try JSONEncoder().encode($0) })
        let value = try JSONDecoder().decode(WebValue.self, from: data)["value"]
        if let code = value["error"].text {
            throw WebDriverError(code: code, message: value["message"].text ?? "")
        }
        return value
    }
}
