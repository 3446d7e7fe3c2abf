/// How `[c]` and `[d]` fold a string before a comparison, by the Unicode tables of the standard library alone.
///
/// `[c]`: each scalar is mapped to upper case and then to lower case, so that ß equals SS and ς equals Σ; the dotless ı
/// is not changed.
/// `[d]`: canonical decomposition without nonspacing marks; ø and đ are letters and are not changed. With any option
/// composed and decomposed characters are equal. Independent of any language: a store must give the same result
/// everywhere.
package enum TextFolding {
    /// The folded string: strings that are equal under the options have the same one.
    package static func folded(_ text: String, options: NSComparisonPredicateOptions) -> String {
        guard !options.isEmpty, !options.contains(.normalized) else { return text }
        let ignoresCase = options.contains(.caseInsensitive)
        guard !isASCII(text) else { return ignoresCase ? lowercasedASCII(text) : text }
        return FoldedScalars.under(options)?.folded(text) ?? foldedAsWhole(text, options: options)
    }

    /// The folded text by the rules, for texts with any scalars.
    static func foldedAsWhole(_ text: String, options: NSComparisonPredicateOptions) -> String {
        let ignoresCase = options.contains(.caseInsensitive)
        let ignoresMarks = options.contains(.diacriticInsensitive)
        var result =
            ignoresMarks ? text.decomposedStringWithCanonicalMapping : text.precomposedStringWithCanonicalMapping
        if ignoresCase { result = caseFolded(result) }
        if ignoresMarks { result = withoutMarks(result) }
        return result
    }

    private static func isASCII(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy { $0 < 0x80 } } ?? text.utf8.allSatisfy { $0 < 0x80 }
    }

    private static func lowercasedASCII(_ text: String) -> String {
        let isUpper: (UInt8) -> Bool = { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") }
        guard text.utf8.contains(where: isUpper) else { return text }
        return String(unsafeUninitializedCapacity: text.utf8.count) { buffer in
            var count = 0
            for byte in text.utf8 {
                buffer[count] = isUpper(byte) ? byte | 0x20 : byte
                count += 1
            }
            return count
        }
    }

    private static func caseFolded(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            // The upper case of ı is the plain I, which would make it equal to i.
            guard scalar != "\u{131}" else {
                result.unicodeScalars.append(scalar)
                continue
            }
            for upper in scalar.properties.uppercaseMapping.unicodeScalars {
                result += upper.properties.lowercaseMapping
            }
        }
        return result
    }

    private static func withoutMarks(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where scalar.properties.generalCategory != .nonspacingMark {
            scalars.append(scalar)
        }
        return String(scalars)
    }
}
