import Foundation
import Glibc
import TestBasics
import TestServers

/// A page in headless Firefox with an empty profile, to check that pages work in a second browser.
///
/// Controlled by Marionette, Firefox's own protocol: over TCP on the loopback address, each message is its length, a
/// colon and JSON; the response to `[0, number, command, parameters]` is `[1, number, error, result]`. Not thread-safe.
public final class FirefoxPage {
    private static let programs = ["firefox-esr", "firefox"]

    /// Whether the program is on this machine.
    public static var isInstalled: Bool { programs.contains { (try? Toolchain.url($0)) != nil } }

    private let profile: TemporaryFolder
    private let child: Child
    private let connection: LoopbackConnection
    private var number = 0.0

    /// Starts Firefox on a free port.
    ///
    /// - Throws: `Toolchain.Failure` if Firefox is not installed or does not start.
    public init() async throws {
        let found = Self.programs.lazy.compactMap { try? Toolchain.url($0) }.first
        guard let program = found else { throw Toolchain.Failure(description: "Firefox is not installed") }
        profile = try TemporaryFolder()
        let preferences = profile.url.appendingPathComponent("user.js")
        try Data("user_pref('marionette.port', 0);\n".utf8).write(to: preferences)
        // `errors(from:)` runs scripts in Firefox's privileged context, which `--remote-allow-system-access` permits.
        let flags = ["--headless", "--no-remote", "--marionette", "--remote-allow-system-access", "--profile"]
        child = try Child(flags + [profile.url.path], of: program, errors: .nullDevice)
        let place = profile.url.appendingPathComponent("MarionetteActivePort")
        let deadline = ContinuousClock.now + .seconds(60)
        var port: Int?
        while port == nil, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(50))
            port = (try? String(contentsOf: place, encoding: .utf8)).flatMap { Int($0) }
        }
        guard let port else { throw Toolchain.Failure(description: "Firefox did not start") }
        connection = try LoopbackConnection(port: port)
        _ = try readMessage()
        try ask("WebDriver:NewSession", ["capabilities": .object([:])])
    }

    deinit { child.kill() }

    /// Goes to an address and waits until its document is loaded.
    public func go(to address: String) throws { try ask("WebDriver:Navigate", ["url": .string(address)]) }

    /// Runs a function body in the page and returns its result; waits if the result is a promise.
    @discardableResult
    public func evaluate(_ script: String) throws -> WebValue {
        try ask("WebDriver:ExecuteScript", ["script": .string(script), "args": .array([])])["value"]
    }

    /// Waits until an expression in the page is true.
    public func wait(until script: String, within limit: Duration = .seconds(30)) async throws {
        let deadline = ContinuousClock.now + limit
        while try evaluate("return !!(\(script))") != .bool(true) {
            guard ContinuousClock.now < deadline else {
                let shown = try evaluate("return document.body.innerText.slice(0, 600)").text ?? ""
                throw WebDriverError(
                    code: "timeout", message: "waited in vain for: \(script)\nThe page shows: \(shown)")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The script errors in Firefox's console whose text begins with `address`: the script's URL and the message.
    public func errors(from address: String) throws -> [String] {
        try ask("Marionette:SetContext", ["value": "chrome"])
        let found = try evaluate(
            """
            return Services.console.getMessageArray().filter((one) => one instanceof Ci.nsIScriptError)
                .filter((one) => !(one.flags & Ci.nsIScriptError.warningFlag)).map((one) => `${one.sourceName}: ${one.errorMessage}`)
            """)
        try ask("Marionette:SetContext", ["value": "content"])
        return found.elements.compactMap(\.text).filter { $0.hasPrefix(address) }
    }

    @discardableResult
    private func ask(_ command: String, _ parameters: [String: WebValue]) throws -> WebValue {
        number += 1
        let message = WebValue.array([0, .number(number), .string(command), .object(parameters)])
        let body = try JSONEncoder().encode(message)
        try connection.write(Data("\(body.count):".utf8) + body)
        let answer = try readMessage().elements
        guard answer.count == 4, answer[1] == .number(number) else {
            throw WebDriverError(code: "connection", message: "\(command) was answered with \(answer)")
        }
        if let code = answer[2]["error"].text {
            throw WebDriverError(code: code, message: answer[2]["message"].text ?? "")
        }
        return answer[3]
    }

    private func readMessage() throws -> WebValue {
        var length = ""
        while case let digit = try connection.read(1), digit != Data(":".utf8) {
            length += String(decoding: digit, as: UTF8.self)
        }
        guard let count = Int(length), (0...(1 << 24)).contains(count) else {
            throw WebDriverError(code: "connection", message: "Firefox sent no message but '\(length)'")
        }
        return try JSONDecoder().decode(WebValue.self, from: connection.read(count))
    }
}
