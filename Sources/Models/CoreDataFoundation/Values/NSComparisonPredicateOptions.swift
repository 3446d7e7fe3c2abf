/// What a comparison of strings ignores; programs name it `NSComparisonPredicate.Options`.
///
/// It is a separate type, with its name in Objective-C, so that comparing texts does not depend on predicates.
public struct NSComparisonPredicateOptions: OptionSet, Hashable, Sendable {
    /// The bits, with Apple's values.
    public let rawValue: UInt

    /// Options with these bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Ignores letter case; written `[c]`.
    public static let caseInsensitive = Self(rawValue: 1)
    /// Ignores diacritics; written `[d]`.
    public static let diacriticInsensitive = Self(rawValue: 2)
    /// Compares bytes, since both strings have been prepared for comparison; overrides the other options. Written
    /// `[n]`.
    public static let normalized = Self(rawValue: 4)
    /// Treats composed and decomposed characters as equal; written `[l]`. Independent of any language, as in a store.
    package static let localeSensitive = Self(rawValue: 8)
}
