/// The order of texts by the rules of a language.
///
/// Foundation's comparison is not a total order: with composed characters, characters that do not count, digits of other
/// scripts and `caseInsensitive`, three texts can each come before the next in a circle. Of texts that have been
/// prepared as here it is one, and only with a total order do all sorting algorithms, SQLite's among them, agree.
enum LocalizedOrder {
    static func order(_ left: String, _ right: String) -> ComparisonResult {
        compare(prepared(left), right: prepared(right))
    }

    static func caseInsensitiveOrder(_ left: String, _ right: String) -> ComparisonResult {
        compare(prepared(folded(left)), right: prepared(folded(right)))
    }

    /// The order in which people expect lists: numbers by value, letters whatever their case; then exactly.
    static func standardOrder(_ left: String, _ right: String) -> ComparisonResult {
        let order = compare(
            counted(folded(left)), right: counted(folded(right)), options: [.numeric, .widthInsensitive])
        guard order == .orderedSame else { return order }
        return compare(counted(left), right: counted(right), options: .numeric)
    }

    private static func compare(
        _ left: String, right: String, options: String.CompareOptions = []
    ) -> ComparisonResult {
        left.compare(right, options: options, range: nil, locale: NamedComparisons.locale ?? .current)
    }

    private static func folded(_ text: String) -> String { TextFolding.folded(text, options: .caseInsensitive) }

    /// The text decomposed and without the characters that do not count.
    private static func prepared(_ text: String) -> String { rewritten(text) { $0 } }

    /// The prepared text with all decimal digits as those that Foundation counts with.
    private static func counted(_ text: String) -> String {
        rewritten(text) { scalar in
            let properties = scalar.properties
            guard properties.numericType == .decimal, let digit = properties.numericValue else { return scalar }
            return Unicode.Scalar(UInt8(ascii: "0") + UInt8(digit))
        }
    }

    private static func rewritten(_ text: String, _ change: (Unicode.Scalar) -> Unicode.Scalar) -> String {
        guard !text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars where counts(scalar) {
            scalars.append(change(scalar))
        }
        return String(scalars)
    }

    /// Whether a character counts in the order; joiners, selectors and controls that are not spaces do not.
    private static func counts(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        guard properties.generalCategory == .control else { return !properties.isDefaultIgnorableCodePoint }
        return properties.isWhitespace
    }
}
