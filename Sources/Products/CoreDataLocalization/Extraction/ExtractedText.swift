/// A text that a source, a property list or a model has for users.
public struct ExtractedText: Sendable, Equatable {
    /// The key under which it is looked for.
    public var key: String
    /// The text in the development language; where a source has none the key.
    public var text: String
    /// What a source says to translators; nil without a comment.
    public var comment: String?
    /// The table; nil for `Localizable`.
    public var table: String?
    /// Where it is, such as `Hero.swift:12`; empty where that is not known.
    public var place: String

    /// A text; without a text of its own the key is the text.
    public init(_ key: String, text: String? = nil, comment: String? = nil, table: String? = nil, place: String = "") {
        (self.key, self.text, self.comment) = (key, text ?? key, comment)
        (self.table, self.place) = (table, place)
    }
}
