/// The folded form of each scalar of the Latin, Greek and Cyrillic blocks (`TextFolding`).
///
/// A text that has only these scalars is folded scalar by scalar, since none of them composes with a neighbor or is
/// reordered by normalization. Combining marks, for which that is not true, are left out; a text with one, or with any
/// other scalar, is folded as a whole.
struct FoldedScalars: Sendable {
    /// Scalars below this limit have at most two bytes in UTF-8.
    private static let limit: UInt32 = 0x530
    /// The largest number of bytes of a folded scalar for each byte of the scalar.
    private static let greatestGrowth = 3
    private static let leftOut = UInt64.max

    /// For each scalar, the bytes of its folded form, the first in the lowest byte, and their number in the highest
    /// byte.
    private let entries: [UInt64]

    /// The table for `[c]`, `[d]` or `[cd]`; nil for other options.
    static func under(_ options: NSComparisonPredicateOptions) -> FoldedScalars? {
        switch options.intersection([.caseInsensitive, .diacriticInsensitive]) {
        case .caseInsensitive: ofCase
        case .diacriticInsensitive: ofMarks
        case [.caseInsensitive, .diacriticInsensitive]: ofBoth
        default: nil
        }
    }

    private static let ofCase = FoldedScalars(.caseInsensitive)
    private static let ofMarks = FoldedScalars(.diacriticInsensitive)
    private static let ofBoth = FoldedScalars([.caseInsensitive, .diacriticInsensitive])

    private init(_ options: NSComparisonPredicateOptions) {
        entries = (0..<Self.limit).map { number in
            guard let scalar = Unicode.Scalar(number), scalar.properties.canonicalCombiningClass == .notReordered
            else { return Self.leftOut }
            let text = String(scalar)
            let folded = TextFolding.foldedAsWhole(text, options: options).utf8
            guard folded.count < 8, folded.count <= Self.greatestGrowth * text.utf8.count else { return Self.leftOut }
            return folded.enumerated().reduce(UInt64(folded.count) << 56) { $0 | UInt64($1.element) << ($1.offset * 8) }
        }
    }

    /// The folded text; nil if the text must be folded as a whole.
    func folded(_ text: String) -> String? {
        var text = text
        return text.withUTF8 { source in
            var isWhole = false
            let result = String(unsafeUninitializedCapacity: source.count * Self.greatestGrowth) { result in
                let count = entries.withUnsafeBufferPointer { Self.fold(source, $0, into: result) }
                isWhole = count != nil
                return count ?? 0
            }
            return isWhole ? result : nil
        }
    }

    /// Folds bytes and returns the number of bytes written; nil if there is a scalar that is left out.
    private static func fold(
        _ source: UnsafeBufferPointer<UInt8>, _ entries: UnsafeBufferPointer<UInt64>,
        into result: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        var (start, end) = (0, 0)
        while start < source.count {
            var scalar = Int(source[start])
            start += 1
            if scalar >= 0x80 {
                // A string's bytes are valid UTF-8: after a byte from 0xC2 to 0xDF one more byte follows.
                guard scalar < 0xE0, start < source.count else { return nil }
                scalar = (scalar & 0x1F) << 6 | Int(source[start] & 0x3F)
                start += 1
            }
            guard scalar < entries.count, entries[scalar] != leftOut else { return nil }
            var entry = entries[scalar]
            for _ in 0..<(entry >> 56) {
                result[end] = UInt8(truncatingIfNeeded: entry)
                entry >>= 8
                end += 1
            }
        }
        return end
    }
}
