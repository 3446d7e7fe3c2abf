import Foundation
import TestBasics
import TestServers

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

    /// Sends a command and gives its `value`.
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
