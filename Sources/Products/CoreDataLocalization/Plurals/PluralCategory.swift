/// The forms that texts with a number have, by CLDR; each language has some of them, and all have `other`.
public enum PluralCategory: String, CaseIterable, Sendable {
    /// The form for no things, where a language has one, such as Arabic.
    case zero
    /// The form for one thing, in some languages for other numbers too.
    case one
    /// The form for two things.
    case two
    /// The form for a few, such as 2 to 4 in Polish.
    case few
    /// The form for many, such as 5 and more in Polish, and millions in French.
    case many
    /// The form for all other numbers, fractions among them.
    case other
}
