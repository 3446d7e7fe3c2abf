import Foundation

/// A window of a web browser, with cookies and storage of its own.
///
/// Each command finds its element again by a CSS selector, since pages replace elements. Every wait has a limit.
public final class WebPage: Sendable {
    private let driver: WebDriver
    private let session: String

    init(driver: WebDriver, session: String) {
        self.driver = driver
        self.session = session
    }

    private func ask(_ method: String, path: String, body: WebValue? = nil) async throws -> WebValue {
        try await driver.ask(method, path: "/session/\(session)\(path)", body: body)
    }

    /// Ends the browser.
    public func close() async throws { _ = try await ask("DELETE", path: "") }

    // MARK: Places

    /// Goes to an address and waits until its document is loaded.
    public func go(to address: String) async throws {
        _ = try await ask("POST", path: "/url", body: .object(["url": .string(address)]))
    }

    /// The address that is shown.
    public var address: String { get async throws { try await ask("GET", path: "/url").text ?? "" } }

    /// One step back in the history of the window.
    public func goBack() async throws { _ = try await ask("POST", path: "/back", body: .object([:])) }

    /// Loads the page again.
    public func reload() async throws { _ = try await ask("POST", path: "/refresh", body: .object([:])) }

    /// Sets the size of the viewport in CSS pixels; it may be narrower than 500 pixels, Chromium's smallest window.
    public func resize(width: Int, height: Int) async throws {
        let size: [String: WebValue] = [
            "width": .number(Double(width)), "height": .number(Double(height)), "deviceScaleFactor": 1, "mobile": false,
        ]
        _ = try await ask(
            "POST", path: "/goog/cdp/execute",
            body: .object(["cmd": "Emulation.setDeviceMetricsOverride", "params": .object(size)]))
    }

    // MARK: Windows

    /// The handles of the browser's windows and tabs.
    public var windows: [String] {
        get async throws { try await ask("GET", path: "/window/handles").elements.compactMap(\.text) }
    }

    /// Opens a tab with the same cookies and storage, and sends further commands to it; returns its handle.
    @discardableResult
    public func openTab() async throws -> String {
        let handle = try await ask("POST", path: "/window/new", body: .object(["type": "tab"]))["handle"].text ?? ""
        try await switchTab(to: handle)
        return handle
    }

    /// Sends further commands to a tab.
    public func switchTab(to handle: String) async throws {
        _ = try await ask("POST", path: "/window", body: .object(["handle": .string(handle)]))
    }

    // MARK: Scripts

    /// Runs a function body in the page and returns its result; waits if the result is a promise.
    ///
    /// - Throws: `WebDriverError` of code `javascript error`.
    @discardableResult
    public func evaluate(_ script: String, _ arguments: [WebValue] = []) async throws -> WebValue {
        try await ask(
            "POST", path: "/execute/sync", body: .object(["script": .string(script), "args": .array(arguments)]))
    }

    /// Waits until a JavaScript expression is true in the page.
    ///
    /// - Throws: `WebDriverError` of code `timeout` with the script.
    public func wait(until script: String, _ arguments: [WebValue] = [], within limit: Duration = .seconds(30))
        async throws
    {
        let deadline = ContinuousClock.now + limit
        while true {
            let value = try? await evaluate("return !!(\(script))", arguments)
            if value == .bool(true) { return }
            guard ContinuousClock.now < deadline else {
                let shown = try? await evaluate("return document.body.innerText.slice(0, 600)")
                throw WebDriverError(
                    code: "timeout", message: "waited in vain for: \(script)\nThe page shows: \(shown?.text ?? "?")")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    // MARK: Elements

    private static let elementKey = "element-6066-11e4-a52e-4f735466cecf"

    private func element(_ selector: String, within limit: Duration) async throws -> String {
        let deadline = ContinuousClock.now + limit
        while true {
            do {
                let found = try await ask(
                    "POST", path: "/element", body: .object(["using": "css selector", "value": .string(selector)]))
                return found[Self.elementKey].text ?? ""
            } catch let error as WebDriverError where error.code == "no such element" {
                guard ContinuousClock.now < deadline else { throw error }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    /// Clicks the first element that a selector finds, once it is there.
    public func click(_ selector: String, within limit: Duration = .seconds(30)) async throws {
        try await acting(on: selector, limit) { element in
            _ = try await self.ask("POST", path: "/element/\(element)/click", body: .object([:]))
        }
    }

    /// Types into an element; `WebKey` has the keys without a character.
    public func type(_ text: String, into selector: String, within limit: Duration = .seconds(30)) async throws {
        try await acting(on: selector, limit) { element in
            _ = try await self.ask("POST", path: "/element/\(element)/value", body: .object(["text": .string(text)]))
        }
    }

    /// Empties a field.
    public func clear(_ selector: String) async throws {
        try await acting(on: selector, .seconds(30)) { element in
            _ = try await self.ask("POST", path: "/element/\(element)/clear", body: .object([:]))
        }
    }

    /// Runs an action on an element, and repeats it until the limit while the page replaces or covers the element.
    private func acting(on selector: String, _ limit: Duration, _ body: (String) async throws -> Void) async throws {
        let deadline = ContinuousClock.now + limit
        let passing: Set = [
            "stale element reference", "element not interactable", "element click intercepted", "invalid element state",
        ]
        while true {
            do {
                return try await body(try await element(selector, within: limit))
            } catch let error as WebDriverError where passing.contains(error.code) && ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    /// Presses keys one after another in the focused element while the keys of `holding` are held down.
    public func press(_ keys: String, holding modifiers: [String] = []) async throws {
        func action(_ kind: String, _ key: String) -> WebValue {
            .object(["type": .string(kind), "value": .string(key)])
        }
        let actions =
            modifiers.map { action("keyDown", $0) }
            + keys.flatMap { [action("keyDown", String($0)), action("keyUp", String($0))] }
            + modifiers.reversed().map { action("keyUp", $0) }
        _ = try await ask(
            "POST", path: "/actions",
            body: .object(["actions": .array([.object(["type": "key", "id": "keys", "actions": .array(actions)])])]))
    }

    /// The text that an element shows; nil if there is no such element.
    public func text(of selector: String) async throws -> String? {
        try await evaluate("return document.querySelector(arguments[0])?.innerText ?? null", [.string(selector)]).text
    }

    /// A picture of what is shown, as PNG.
    public func screenshot() async throws -> Data {
        let text = try await ask("GET", path: "/screenshot").text ?? ""
        return Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data()
    }

    // MARK: The device

    /// Grants or denies the page the position of the device, and sets it, in degrees.
    public func setPosition(_ latitude: Double, _ longitude: Double, isAllowed: Bool = true) async throws {
        _ = try await command(
            "Browser.setPermission",
            ["permission": .object(["name": "geolocation"]), "setting": .string(isAllowed ? "granted" : "denied")])
        _ = try await command(
            "Emulation.setGeolocationOverride",
            ["latitude": .number(latitude), "longitude": .number(longitude), "accuracy": .number(5)])
    }

    /// Grants or denies the page the camera.
    public func setCamera(isAllowed: Bool) async throws {
        _ = try await command(
            "Browser.setPermission",
            ["permission": .object(["name": "camera"]), "setting": .string(isAllowed ? "granted" : "denied")])
    }

    /// Lets requests fail whose addresses match patterns such as `*/name/*`.
    public func block(_ patterns: [String]) async throws {
        _ = try await command("Network.enable")
        _ = try await command("Network.setBlockedURLs", ["urls": .array(patterns.map { .string($0) })])
    }

    /// A command of the debugging protocol of Chromium.
    private func command(_ name: String, _ parameters: [String: WebValue] = [:]) async throws -> WebValue {
        try await ask(
            "POST", path: "/goog/cdp/execute", body: .object(["cmd": .string(name), "params": .object(parameters)]))
    }

    // MARK: Measures

    /// A performance metric of Chromium, such as `ScriptDuration` in seconds; nil for an unknown name.
    public func metric(_ name: String) async throws -> Double? {
        _ = try await command("Performance.enable")
        let metrics = try await command("Performance.getMetrics")["metrics"]
        return metrics.elements.first { $0["name"].text == name }?["value"].number
    }
}
