import CoreData
import CoreDataBrowser
import StoreContract
import Testing

/// A tab of a browser in a test, which stages and saves without HTTP.
struct EditingTab {
    let browser: Browser
    let name: String
    var user = "eva"
    /// Which of the stores it is about, from 1.
    var place = 1
    /// Keeps the folder of the store; nothing is asked of it.
    nonisolated(unsafe) private var stack: Stack?

    init(_ browser: Browser, _ name: String = "tab1", user: String = "eva", first place: Int = 1) {
        self.place = place
        self.browser = browser
        self.name = name
        self.user = user
    }

    /// A browser on the store of a stack, which keeps its state beside the store, and a tab of it.
    init(_ stack: Stack, _ name: String = "tab1") {
        self.init(Self.browser(beside: stack.url), name)
        self.stack = stack
        browser.show(stack.coordinator, name: "Test")
    }

    /// A browser that shows no store yet and keeps its state in a folder beside a file.
    static func browser(beside file: URL, rules: BrowserRules = .everything) -> Browser {
        var options = BrowserOptions()
        options.stateFolder = file.deletingLastPathComponent().appendingPathComponent("state")
        options.rules = rules
        return Browser(options: options)
    }

    /// Asks a page of the first store with a body of JSON for `POST`, and expects a status.
    @discardableResult
    func ask(
        _ method: String, _ path: String, _ body: String? = nil, status: Int = 200,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Reply {
        var headers: BrowserHeaders = ["X-Tab": name]
        if body != nil { headers.set("Content-Type", "application/json") }
        let request = BrowserRequest(
            method: method, target: browser.named("/stores/\(place)/\(path)"), headers: headers,
            body: body.map { BrowserBody(Array($0.utf8)) } ?? .empty, user: BrowserUser(name: user))
        let response = await browser.respond(to: request)
        let bytes = try await response.body.bytes(limit: 1 << 28)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(response.status == status, "\(method) \(path): \(text.prefix(800))", sourceLocation: sourceLocation)
        return Reply(try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
    }

    /// Stages steps.
    @discardableResult
    func stage(
        _ steps: String..., status: Int = 200, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Reply {
        try await ask(
            "POST", "edits", "{\"steps\": [\(steps.joined(separator: ", "))]}", status: status,
            sourceLocation: sourceLocation)
    }

    /// What is staged.
    func edits(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Reply {
        try await ask("GET", "edits", sourceLocation: sourceLocation)
    }

    @discardableResult
    func save(
        _ body: String? = nil, status: Int = 200, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Reply {
        try await ask("POST", "edits/save", body, status: status, sourceLocation: sourceLocation)
    }
}

extension Browser {
    /// An address with the name of what it gives the place of: `/stores/1/edits` is that of the first store.
    func named(_ target: String) -> String {
        var steps = target.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard steps.count > 2, let place = Int(steps[2].prefix { $0 != "?" }) else { return target }
        let ids = [
            "stores": core.shown.map(\.id), "apps": core.apps.shown.map(\.id), "models": core.models.shown.map(\.id),
        ]
        guard let names = ids[steps[1]], names.indices.contains(place - 1) else { return target }
        steps[2] = names[place - 1] + steps[2].drop { $0 != "?" }
        return steps.joined(separator: "/")
    }
}

/// A part of an answer's JSON, by its keys and places.
struct Reply: CustomStringConvertible {
    private let value: Any?

    init(_ value: Any?) { self.value = value is NSNull ? nil : value }

    subscript(key: String) -> Reply { Reply((value as? [String: Any])?[key]) }
    subscript(index: Int) -> Reply {
        let list = value as? [Any] ?? []
        return Reply(list.indices.contains(index) ? list[index] : nil)
    }

    var isNull: Bool { value == nil }
    var text: String? { value as? String }
    var number: Int? { (value as? NSNumber)?.intValue }
    var flag: Bool? { value as? Bool }
    var list: [Reply] { (value as? [Any] ?? []).map { Reply($0) } }
    var texts: [String] { list.compactMap(\.text) }
    var keys: [String] { (value as? [String: Any] ?? [:]).keys.sorted() }

    /// The element of a list that has a text under a key.
    func first(_ key: String, _ text: String) -> Reply { list.first { $0[key].text == text } ?? Reply(nil) }

    /// The object without one of its members.
    func without(_ key: String) -> Reply { Reply((value as? [String: Any])?.filter { $0.key != key }) }

    var description: String { "\(value ?? "null")" }

    /// The JSON with its keys in order, to be compared.
    var sorted: String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .fragmentsAllowed]
        let data = value.flatMap { try? JSONSerialization.data(withJSONObject: $0, options: options) }
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}

/// The heroes of the fixture, saved, with names by which pages know them.
struct SavedHeroes {
    let stack: Stack
    private let names: [String: String]

    init(_ kind: StoreKind = .sqlite, options: [AnyHashable: Any]? = nil, _ further: String = "") throws {
        stack = try Stack(SuperDB.model(further), kind: kind, options: options)
        SuperDB.fill(stack.context)
        try stack.context.save()
        var names: [String: String] = [:]
        for hero in try stack.context.all("Hero") {
            names[hero.value(forKey: "name") as? String ?? ""] = hero.objectID.shortText
        }
        self.names = names
        stack.context.reset()
    }

    /// `Hero/p1`
    subscript(name: String) -> String { names[name] ?? "Hero/p0" }

    /// A value as it is in the store.
    func stored(_ hero: String, _ key: String) throws -> Any? {
        let context = stack.newContext()
        let name = self[hero]
        return try context.all("Hero").first { $0.objectID.shortText == name }?.value(forKey: key)
    }
}
