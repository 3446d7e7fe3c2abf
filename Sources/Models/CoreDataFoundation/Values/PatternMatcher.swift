import Synchronization

/// A compiled regular expression of `MATCHES`, which the complete text must match.
///
/// The syntax is ICU's, as in `NSRegularExpression`. A match that needs too many steps on one text ends with an error,
/// after the same number of steps on every machine: patterns such as `(a+)+$` need exponential time.
package struct PatternMatcher: Sendable {
    /// The largest number of progress reports of one match, each for about 10,000 steps.
    ///
    /// The engine itself stops after some 4,000 reports and then reports no match.
    private static let greatestReportCount = 1000

    private let expression: NSRegularExpression
    private let options: NSComparisonPredicateOptions

    /// The matcher of a pattern, from a small cache.
    ///
    /// - Throws: `ExpressionError.invalidPattern`.
    package static func matcher(
        for pattern: String, options: NSComparisonPredicateOptions
    ) throws -> PatternMatcher {
        let key = Key(pattern: pattern, options: options)
        if let known = cache.withLock({ $0[key] }) { return known }
        let matcher = try PatternMatcher(pattern, options)
        cache.withLock { matchers in
            if matchers.count >= 64 { matchers.removeAll() }
            matchers[key] = matcher
        }
        return matcher
    }

    private struct Key: Hashable {
        let pattern: String
        let options: NSComparisonPredicateOptions
    }

    /// Guards the matchers by pattern and options.
    private static let cache = Mutex<[Key: PatternMatcher]>([:])

    private init(_ pattern: String, _ options: NSComparisonPredicateOptions) throws {
        self.options = options.contains(.normalized) ? [] : options
        // The regular expression ignores case by itself: folding the pattern would turn \W into \w.
        let folding = self.options.subtracting(.caseInsensitive)
        let flags: NSRegularExpression.Options = self.options.contains(.caseInsensitive) ? .caseInsensitive : []
        expression = try Self.compiled(TextFolding.folded(pattern, options: folding), flags)
    }

    private static func compiled(_ pattern: String, _ flags: NSRegularExpression.Options) throws -> NSRegularExpression
    {
        do {
            // The pattern is compiled alone first, so that its parentheses cannot close those added around it;
            // Foundation refuses an empty pattern.
            if !pattern.isEmpty { _ = try NSRegularExpression(pattern: pattern, options: flags) }
            // The line end terminates a comment, which (?x) allows at the end of a pattern.
            return try (try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z", options: flags))
                ?? NSRegularExpression(pattern: "\\A(?:\(pattern)\n)\\z", options: flags)
        } catch {
            throw ExpressionError.invalidPattern((error as NSError).localizedDescription)
        }
    }

    /// Whether the complete text matches.
    ///
    /// - Throws: `ExpressionError.patternTooExpensive`.
    package func matches(_ text: String) throws -> Bool {
        let text = TextFolding.folded(text, options: options.subtracting(.caseInsensitive))
        var (found, isTooExpensive, reports) = (false, false, 0)
        let whole = NSRange(location: 0, length: text.utf16.count)
        let options: NSRegularExpression.MatchingOptions = [.reportProgress, .reportCompletion]
        expression.enumerateMatches(in: text, options: options, range: whole) { result, flags, stop in
            if flags.contains(.progress) { reports += 1 }
            found = found || result != nil
            isTooExpensive = !found && (flags.contains(.internalError) || reports > Self.greatestReportCount)
            if found || isTooExpensive { stop.pointee = true }
        }
        guard !isTooExpensive else { throw ExpressionError.patternTooExpensive }
        return found
    }
}
