/// The order of texts by the rules of a language.
///
/// Foundation's comparison is no total order: with composed characters and with `caseInsensitive`, three texts can each
/// come before the next in a circle. Of decomposed texts, folded where case does not count, it is one, and only with a
/// total order do all sorting algorithms, SQLite's among them, agree.
enum LocalizedOrder {
    static func order(_ left: String, _ right: String) -> ComparisonResult {
        compare(decomposed(left), decomposed(right))
    }

    static func caseInsensitiveOrder(_ left: String, _ right: String) -> ComparisonResult {
        compare(folded(left), folded(right))
    }

    /// The order in which people expect lists: numbers by value, letters whatever their case; then exactly.
    static func standardOrder(_ left: String, _ right: String) -> ComparisonResult {
        let order = compare(folded(left), folded(right), [.numeric, .widthInsensitive])
        guard order == .orderedSame else { return order }
        return compare(decomposed(left), decomposed(right), .numeric)
    }

    private static func compare(
        _ left: String, _ right: String, _ options: String.CompareOptions = []
    ) -> ComparisonResult {
        left.compare(right, options: options, range: nil, locale: NamedComparisons.locale ?? .current)
    }

    private static func folded(_ text: String) -> String {
        decomposed(TextFolding.folded(text, options: .caseInsensitive))
    }

    private static func decomposed(_ text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : text.decomposedStringWithCanonicalMapping
    }
}
