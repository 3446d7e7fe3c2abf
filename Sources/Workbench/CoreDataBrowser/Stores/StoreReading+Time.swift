import CoreData

extension StoreReading {
    /// The time limit of queries that users write.
    private static let patience: Duration = .seconds(30)

    /// Runs a query, which is stopped after the time limit.
    ///
    /// - Parameter hint: What helps against a query that takes too long.
    /// - Throws: `BrowserFailure` 503 after the time limit, and errors of `body`.
    func inTime<Result>(hint: String, _ body: () throws -> Result) throws -> Result {
        guard let found = try ReadCancellation.limited(to: Self.patience, body) else {
            throw BrowserFailure(
                503, code: "tooSlow", reason: "the query was stopped after \(Self.patience.components.seconds) seconds",
                hint: hint)
        }
        return found
    }
}
