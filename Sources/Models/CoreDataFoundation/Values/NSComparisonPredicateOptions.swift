/// What a comparison of strings ignores; code calls it `NSComparisonPredicate.Options`.
///
/// It is a separate type, with its name in Objective-C, so that comparing texts does not depend on predicates.
public struct NSComparisonPredicateOptions: OptionSet, Hashable, Sendable {
    /// The value by which it is stored and compared.
    public let rawValue: UInt

    /// Makes the value of a raw one; any raw value is taken.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Letter case does not count, written `[c]`.
    public static let caseInsensitive = Self(rawValue: 1)
    /// Accents do not count, written `[d]`.
    public static let diacriticInsensitive = Self(rawValue: 2)
    /// Both strings have been prepared for comparison; overrides the other options. Written `[n]`.
    public static let normalized = Self(rawValue: 4)
    /// Composed and decomposed characters are equal, written `[l]`; never tailored to a language, as in a store.
    package static let localeSensitive = Self(rawValue: 8)
}
