import CoreDataStore

/// The key of a text in a folded text index: the same for all texts that are equal under `[c]`, `[d]`, `[cd]` or `[l]`.
///
/// Unequal texts may have the same key, so a query that finds rows by the key also evaluates the condition itself. The
/// key is computed with the lists of `FoldedLetters`, by server functions whose results are the same in all versions of
/// the server and of Unicode:
///
/// 1. The text is decomposed canonically. Step 3 drops characters whose decomposition differs between Unicode versions.
/// 2. Letters become lower case in the scripts that have case; ß and և become the two letters that they are equal to.
/// 3. Only ASCII and `FoldedLetters.kept` remain, so that marks, signs and rare letters make no difference.
/// 4. The key is cut after `length` scalars, as the size of an index entry is limited.
///
/// A text with letters that equal several other letters has the key `other`; every query evaluates the condition on
/// these texts.
package enum FoldedKey {
    /// The maximum number of scalars in a key.
    static let length = 100
    /// The key of texts for which no key can be computed; no other key contains it.
    package static let other = "\u{FFFD}"

    /// The characters that are removed from a key, as ranges of a regular expression.
    private static let dropped: String = {
        var ranges: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0x80
        for range in FoldedLetters.kept {
            if next < range.lowerBound { ranges.append(next...range.lowerBound - 1) }
            next = range.upperBound + 1
        }
        ranges.append(next...0x10FFFF)
        // Surrogates are not characters.
        return ranges.flatMap { range in
            range.contains(0xD800) ? [range.lowerBound...0xD7FF, 0xE000...range.upperBound] : [range]
        }.map { text([$0.lowerBound]) + "-" + text([$0.upperBound]) }.joined()
    }()

    // MARK: Here

    /// Returns the key of a text, computed in memory.
    package static func key(of text: String) -> String {
        var written = EscapedText.escaped(text)
        guard !written.unicodeScalars.contains(where: { FoldedLetters.others.contains($0.value) }) else { return other }
        written = written.decomposedStringWithCanonicalMapping
        var scalars = String.UnicodeScalarView()
        for scalar in written.unicodeScalars {
            if let pair = FoldedLetters.pairs.first(where: { $0.from == scalar }) {
                scalars.append(contentsOf: pair.to.unicodeScalars)
            } else if scalar.isASCII {
                scalars.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
            } else {
                let number = small[scalar.value] ?? scalar.value
                guard number < 0x80 || isKept(number), let kept = Unicode.Scalar(number) else { continue }
                scalars.append(kept)
            }
        }
        return String(String.UnicodeScalarView(scalars.prefix(length)))
    }

    private static let small = Dictionary(uniqueKeysWithValues: FoldedLetters.small.map { ($0.from, $0.to) })

    private static func isKept(_ number: UInt32) -> Bool { FoldedLetters.kept.contains { $0.contains(number) } }

    // MARK: On the server

    private static let others = ScalarClass(FoldedLetters.others.sorted())
    private static let from = text(FoldedLetters.small.map(\.from))
    private static let to = text(FoldedLetters.small.map(\.to))

    private static func text(_ numbers: [UInt32]) -> String {
        String(String.UnicodeScalarView(numbers.compactMap { Unicode.Scalar($0) }))
    }

    /// The SQL for the key of a column's texts: the expression of the index, which a query must repeat exactly to use
    /// the index.
    package static func sql(of column: String) -> String {
        var text = "pg_catalog.lower(pg_catalog.normalize(\(column), 'NFD') COLLATE \"C\")"
        for (from, to) in FoldedLetters.pairs { text = "pg_catalog.replace(\(text), '\(from)', '\(to)')" }
        text = "pg_catalog.translate(\(text), '\(from)', '\(to)')"
        text = "pg_catalog.regexp_replace(\(text), '[\(dropped)]+', '', 'g')"
        return "CASE WHEN pg_catalog.octet_length(\(column)) = pg_catalog.char_length(\(column)) "
            + "THEN pg_catalog.\"left\"(pg_catalog.lower(\(column) COLLATE \"C\"), \(length)) "
            + "WHEN pg_catalog.textregexeq(\(column), '\(others.bracket)') THEN '\(other)' "
            + "ELSE pg_catalog.\"left\"(\(text), \(length)) END"
    }
}
