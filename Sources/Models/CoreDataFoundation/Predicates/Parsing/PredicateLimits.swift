/// The limits on a format string, beyond which parsing throws an error rather than overflow the stack.
package enum PredicateLimits {
    /// The longest text, in bytes of UTF-8.
    package static let length = 512 * 1024
    /// The deepest nesting of parentheses, lists, calls, signs and NOT; small enough for a stack of 1 MB.
    package static let depth = 64
    /// The largest number of arithmetic operators in one text, since each operator of a chain nests one level deeper.
    package static let arithmeticOperators = 500
}
