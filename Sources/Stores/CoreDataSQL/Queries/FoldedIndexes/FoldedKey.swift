import CoreDataStore

/// What an index of folded texts holds of a text: the same for all texts that are equal under `[c]`, `[d]`, `[cd]` or `[l]`.
///
/// It is coarser than folding, so a query that finds rows by it evaluates the condition itself as well. It is made with the
/// lists of `FoldedLetters`, by functions that a server has and that give the same in every version of it and of Unicode:
///
/// 1. The canonical decomposition. What a version of Unicode does not know yet, or orders otherwise, is left out below.
/// 2. Small letters of the scripts that have them; ß and և as the two letters that they are equal to.
/// 3. Only `FoldedLetters.kept` remains, so that marks, signs and rare letters make no difference.
/// 4. At most `length` scalars, as an index holds no text of any length.
///
/// Texts with letters that equal several other letters have the key `other`, and every query has to evaluate them.
package enum FoldedKey {
    /// The most scalars of a key.
    static let length = 100
    /// The key of texts that do not have one; not part of any other key.
    package static let other = "\u{FFFD}"

    /// What leaves a key, as ranges of a regular expression.
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

    /// The key of a text.
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

    /// The key of a column's texts, as an index has it and as a query must write it to be served by that.
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
