/// The order of texts by the rules of a language.
///
/// Foundation's comparison is not a total order: with composed characters, ignorable characters, digits of other
/// scripts and `caseInsensitive`, it can order three texts in a circle. For texts prepared as here it is a total order,
/// without which sorting algorithms, SQLite's among them, give different results.
enum LocalizedOrder {
    static func order(_ left: String, _ right: String) -> ComparisonResult {
        compare(prepared(left), right: prepared(right))
    }

    static func caseInsensitiveOrder(_ left: String, _ right: String) -> ComparisonResult {
        compare(prepared(folded(left)), right: prepared(folded(right)))
    }

    /// The order of file lists: numbers by value and letters ignoring case; texts equal by that are compared exactly.
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

    /// The text decomposed and without ignorable characters.
    private static func prepared(_ text: String) -> String { rewritten(text) { $0 } }

    /// The prepared text with decimal digits of all scripts as ASCII digits, which Foundation compares as numbers.
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

    /// Whether a character affects the order: joiners, selectors and controls that are not spaces do not.
    private static func counts(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        guard properties.generalCategory == .control else { return !properties.isDefaultIgnorableCodePoint }
        return properties.isWhitespace
    }
}
