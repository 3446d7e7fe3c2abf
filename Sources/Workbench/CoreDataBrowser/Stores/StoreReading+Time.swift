import CoreData

extension StoreReading {
    /// How long a question that a person writes may take.
    private static let patience: Duration = .seconds(30)

    /// Asks a question, which is stopped when it takes too long.
    ///
    /// - Parameter hint: What helps then.
    /// - Throws: `BrowserFailure` 503 for what takes too long, and what `body` throws.
    func inTime<Result>(hint: String, _ body: () throws -> Result) throws -> Result {
        guard let found = try ReadCancellation.limited(to: Self.patience, body) else {
            throw BrowserFailure(
                503, code: "tooSlow", reason: "the query was stopped after \(Self.patience.components.seconds) seconds",
                hint: hint)
        }
        return found
    }
}
