/// What becomes of a pattern of `MATCHES` that is not a regular expression, or that needs more work than the bounds allow.
package enum BadPatterns {
    /// The error is thrown.
    case thrown
    /// The comparison does not hold, and a warning reports each reason once.
    case reported

    /// The answer of a comparison by a pattern.
    ///
    /// - Throws: what the comparison throws, but for what is reported.
    func answer(_ body: () throws -> Bool) throws -> Bool {
        guard case .reported = self else { return try body() }
        do {
            return try body()
        } catch let error as ExpressionError where error.isAboutPattern {
            CoreDataLogging.reportOnce(.warning, "MATCHES does not hold: \(error)")
            return false
        }
    }
}

extension ExpressionError {
    fileprivate var isAboutPattern: Bool {
        switch self {
        case .invalidPattern, .patternTooExpensive: true
        default: false
        }
    }
}
