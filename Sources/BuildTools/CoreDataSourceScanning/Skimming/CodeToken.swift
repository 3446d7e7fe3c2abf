/// A piece of Swift code, as far as it matters to who looks for brackets and words only.
struct CodeToken {
    /// What ends a stretch of code.
    enum Closing { case brace, parenthesis, bracket, condition, file }

    enum Kind {
        /// A name, a keyword, a number.
        case word
        /// `{`, `(`, `[` or `#if`, by what ends it.
        case opening(Closing)
        case closing(Closing)
        /// `#elseif` or `#else`.
        case alternative
        /// Anything else: a byte of an operator, a text, a name between backticks.
        case mark
    }

    let kind: Kind
    let start: Int
    let end: Int
    /// Whether a line ends between the token and the one before it.
    let beginsLine: Bool
}
