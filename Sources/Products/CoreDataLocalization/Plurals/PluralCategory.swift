/// The forms that texts with a number have, by CLDR; each language has some of them, and all have `other`.
public enum PluralCategory: String, CaseIterable, Sendable {
    case zero, one, two, few, many, other
}
