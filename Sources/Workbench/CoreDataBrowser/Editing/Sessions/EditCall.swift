import CoreData

/// A named list of steps that a client sent to be staged together.
struct EditCall: Sendable {
    /// The greatest number of steps that a client sends together.
    static let greatestCount = 10_000

    let name: String?
    let steps: [EditStep]
    let body: JSONValue

    /// Reads `{"name", "steps": […]}`.
    ///
    /// - Throws: `BrowserFailure` 422.
    init(_ body: JSONValue, limit: Int = greatestCount) throws {
        let parts = JSONParts(body)
        name = try parts.optionalText("name").map { PrintableText.escaped($0, limit: 120) }
        let list = try parts.list("steps")
        guard list.count <= limit else {
            throw BrowserFailure(
                422, code: "tooManySteps", reason: "\(list.count) steps are given, more than \(limit)",
                hint: "stage them in parts")
        }
        steps = try list.enumerated().map { number, json in
            do { return try EditStep(json) } catch let failure as BrowserFailure {
                throw BrowserFailure(
                    failure.status, code: failure.code,
                    reason: "step \(number + 1) of \(list.count): \(failure.reason)",
                    hint: failure.hint,
                    details: [
                        .init(key: "object", value: JSONParts(json)["object"] ?? .null),
                        .init(key: "key", value: JSONParts(json)["key"] ?? .null),
                        .init(key: "step", value: .integer(Int64(number))),
                    ])
            }
        }
        self.body = body
    }
}
