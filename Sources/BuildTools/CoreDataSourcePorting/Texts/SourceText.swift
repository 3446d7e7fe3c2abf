/// A text for users that a source looks up in a table, such as the argument of `NSLocalizedString`.
package struct SourceText: Sendable, Equatable, Encodable {
    /// The key; interpolated values are specifiers in it, such as `%@`.
    package var key: String
    /// The text of the development language; nil where the key is the text.
    package var text: String?
    /// What the source says to translators.
    package var comment: String?
    /// The table; nil for the standard one.
    package var table: String?
    /// The path of the source.
    package var file: String
    /// Counted from 1.
    package var line: Int
    /// In bytes of UTF-8, counted from 1.
    package var column: Int
}
