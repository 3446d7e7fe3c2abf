import CoreData

/// A request for a page, after the guard has accepted it.
package struct PageCall: Sendable {
    package let browser: BrowserCore
    package let request: BrowserRequest
    /// The values of the names in the page's path.
    package let parameters: [String: String]
    package let query: [String: String]
    /// The tab that sends the request, as named by a user of the host; nil for programs without a tab and for public
    /// pages.
    package let tab: String?

    /// The largest body that is read into memory.
    package static let bodyLimit = 4 << 20

    /// The store that the path names.
    ///
    /// - Throws: `BrowserFailure` 404.
    package var store: BrowsedStore {
        get throws { try browser.store(parameters["store"] ?? "") }
    }

    /// The body as one JSON value.
    ///
    /// - Parameter limit: The most bytes of the body.
    /// - Throws: `BrowserFailure` 413 or 415, or `InspectionError` of code `badValue`.
    package func json(limit: Int = PageCall.bodyLimit) async throws -> JSONValue {
        // A form of another site can send a body only with one of the content types of forms, so this type is required.
        guard request.headers["Content-Type"]?.lowercased().hasPrefix("application/json") == true else {
            throw BrowserFailure(415, code: "notJSON", reason: "the body is not of type application/json")
        }
        let bytes = try await request.body.bytes(limit: limit)
        let values = try JSONReader.values(in: bytes, of: "the body")
        guard values.count == 1 else { throw BrowserFailure.badRequest("the body is not one JSON value") }
        return values[0]
    }

    /// A number of the query.
    ///
    /// - Throws: `BrowserFailure` 400 for what is not a number in the range.
    package func number(_ name: String, default standard: Int, in range: ClosedRange<Int>) throws -> Int {
        guard let text = query[name], !text.isEmpty else { return standard }
        guard let number = Int(text), range.contains(number) else {
            throw BrowserFailure.badRequest(
                "'\(name)' is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
