/// The limits on a format string: text from outside ends in a parse error, never in an overflow.
package enum PredicateLimits {
    /// The longest text, in bytes of UTF-8.
    package static let length = 512 * 1024
    /// The deepest nesting of parentheses, lists, calls, signs and NOT; small enough for a stack of 1 MB.
    package static let depth = 64
    /// The most arithmetic operators in one text: chains of them nest to the left, however they are written.
    package static let arithmeticOperators = 500
}
