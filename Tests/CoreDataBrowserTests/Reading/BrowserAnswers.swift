import CoreData
import CoreDataBrowser
import StoreContract
import Testing

/// A browser in a test, asked without HTTP.
struct BrowserAnswers {
    let browser: Browser

    init(_ browser: Browser) { self.browser = browser }

    /// Shows the store of a stack.
    init(_ stack: Stack) {
        browser = Browser()
        browser.show(stack.coordinator, name: "Test")
    }

    /// The answer to `GET`.
    func response(_ target: String, _ headers: BrowserHeaders = [:]) async -> BrowserResponse {
        await browser.respond(to: BrowserRequest(target: target, headers: headers, user: BrowserUser(name: "eva")))
    }

    /// The JSON that `GET` answers, which is expected to have a status.
    func json(
        _ target: String, status: Int = 200, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        let response = await response(target)
        let bytes = try await response.body.bytes(limit: 1 << 28)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(response.status == status, "\(target): \(text.prefix(500))", sourceLocation: sourceLocation)
        return Answer(try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
    }
}

/// A part of an answer's JSON, by its keys and places.
struct Answer: CustomStringConvertible {
    private let value: Any?

    init(_ value: Any?) { self.value = value is NSNull ? nil : value }

    subscript(key: String) -> Answer { Answer((value as? [String: Any])?[key]) }
    subscript(index: Int) -> Answer {
        let list = value as? [Any] ?? []
        return Answer(list.indices.contains(index) ? list[index] : nil)
    }

    var isNull: Bool { value == nil }
    var text: String? { value as? String }
    var number: Int? { (value as? NSNumber)?.intValue }
    var real: Double? { (value as? NSNumber)?.doubleValue }
    var flag: Bool? { value as? Bool }
    var list: [Answer] { (value as? [Any] ?? []).map { Answer($0) } }
    var keys: [String] { (value as? [String: Any] ?? [:]).keys.sorted() }

    /// The element of a list with a name.
    func named(_ name: String, by key: String = "name") -> Answer {
        list.first { $0[key].text == name } ?? Answer(nil)
    }

    var description: String { "\(value ?? "null")" }
}
