/// What evaluation does with a pattern of `MATCHES` that is not a regular expression or needs more work than the
/// limits.
package enum BadPatterns {
    /// Evaluation throws the error.
    case thrown
    /// The comparison is false, and a warning reports each reason once.
    case reported

    /// Returns the result of a comparison by a pattern.
    ///
    /// - Throws: what the comparison throws; in the case `reported` not the errors about patterns.
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
