/// A token of Swift code, classified only as far as a search for brackets and words needs.
struct CodeToken {
    /// The kinds of tokens that end a bracket, a condition or the file.
    enum Closing { case brace, parenthesis, bracket, condition, file }

    enum Kind {
        /// A name, a keyword, a number.
        case word
        /// `{`, `(`, `[` or `#if`, with the kind of token that closes it.
        case opening(Closing)
        case closing(Closing)
        /// `#elseif` or `#else`.
        case alternative
        /// Any other token: a byte of an operator, a string literal, a name in backticks.
        case mark
    }

    let kind: Kind
    let start: Int
    let end: Int
    /// Whether a line ends between the token and the one before it.
    let beginsLine: Bool
}
