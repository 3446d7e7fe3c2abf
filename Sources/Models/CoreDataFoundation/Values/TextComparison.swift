/// Comparison and search of strings, the same in memory as in the functions that a store calls.
///
/// Without options strings are compared by their bytes in UTF-8: composed and decomposed characters differ, as in
/// SQLite.
/// With options both sides are folded first (`TextFolding`); `normalized` overrides the others.
package enum TextComparison {
    package typealias Options = NSComparisonPredicateOptions

    package static func areEqual(_ left: String, _ right: String, options: Options = []) -> Bool {
        prepared(left, right: right, options: options) { $0.elementsEqual($1) }
    }

    /// The order by bytes, which is the order of Unicode scalars.
    package static func order(_ left: String, _ right: String, options: Options = []) -> ComparisonResult {
        prepared(left, right: right, options: options) { $0.order(to: $1) }
    }

    /// Every string begins with the empty one.
    package static func hasPrefix(_ text: String, _ prefix: String, options: Options = []) -> Bool {
        prepared(text, right: prefix, options: options) { $0.starts(with: $1) }
    }

    /// Every string ends with the empty one.
    package static func hasSuffix(_ text: String, _ suffix: String, options: Options = []) -> Bool {
        prepared(text, right: suffix, options: options) { $0.suffix($1.count).elementsEqual($1) }
    }

    /// Every string contains the empty one.
    package static func contains(_ text: String, _ part: String, options: Options = []) -> Bool {
        prepared(text, right: part, options: options) { ByteSearch.contains($0, $1) }
    }

    /// Whether a text matches a pattern with `?` for one character and `*` for any number of them.
    package static func isLike(_ text: String, _ pattern: String, options: Options = []) -> Bool {
        LikePattern(pattern, options: options).matches(text)
    }

    private static func prepared<Result>(
        _ left: String, right: String, options: Options,
        body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        var left = TextFolding.folded(left, options: options)
        var right = TextFolding.folded(right, options: options)
        return left.withUTF8 { left in right.withUTF8 { body(left, $0) } }
    }
}
