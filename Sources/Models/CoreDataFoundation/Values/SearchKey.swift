/// The form of a text in a search index, which ignores more differences than any comparison does, so that a search by
/// it finds all matches.
///
/// A key is made scalar by scalar, and is the same for a text and for the text folded under any options
/// (`TextFolding`). If a text contains another under some options, the key of the first contains the key of the second.
/// Therefore:
/// - Case is folded twice, as ẞ folds to ß and ß to ss.
/// - Nonspacing marks and all other scalars that canonical reordering moves are left out.
/// - ι and the ypogegrammeni are left out: `[d]` drops the latter as a mark, `[cd]` makes it an ι.
/// - NUL, at which tokenizers stop, becomes U+0001.
package enum SearchKey {
    /// The number of scalars in each part that an index looks up.
    package static let length = 3

    package static func key(of text: String) -> String {
        var text = text
        let ascii = text.withUTF8 { bytes in bytes.allSatisfy { $0 < 0x80 } ? asciiKey(bytes) : nil }
        if let ascii { return ascii }
        var key = String.UnicodeScalarView()
        for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars { append(scalar, to: &key) }
        return String(key)
    }

    /// The distinct parts of a text's key that an index looks up, at most `limit`; none if the key is too short.
    package static func parts(of text: String, limit: Int) -> [String] {
        let scalars = Array(key(of: text).unicodeScalars)
        guard scalars.count >= length else { return [] }
        var parts: [String] = []
        var known: Set<String> = []
        for start in 0...scalars.count - length where parts.count < limit {
            let part = String(String.UnicodeScalarView(scalars[start..<start + length]))
            if known.insert(part).inserted { parts.append(part) }
        }
        return parts
    }

    private static func asciiKey(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        String(unsafeUninitializedCapacity: bytes.count) { buffer in
            for (index, byte) in bytes.enumerated() { buffer.initializeElement(at: index, to: asciiKey(byte)) }
            return bytes.count
        }
    }

    private static func asciiKey(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        case 0: 1
        default: byte
        }
    }

    private static func append(_ scalar: Unicode.Scalar, to key: inout String.UnicodeScalarView) {
        if scalar.value < 0x80 { return key.append(Unicode.Scalar(asciiKey(UInt8(scalar.value)))) }
        guard Int(scalar.value) >= table.count else { return key.append(contentsOf: table[Int(scalar.value)]) }
        // Ideographs have neither case nor marks.
        if (0x4E00...0x9FFF).contains(scalar.value) { return key.append(scalar) }
        key.append(contentsOf: computed(scalar))
    }

    /// The keys of the scalars of most texts, precomputed since reading the properties of a scalar takes long.
    private static let table: [String.UnicodeScalarView] = (0..<0x3100).map { number in
        Unicode.Scalar(UInt32(number)).map(computed) ?? String.UnicodeScalarView()
    }

    private static func computed(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
        var text = String(scalar).decomposedStringWithCanonicalMapping
        for _ in 0..<2 {
            text = TextFolding.folded(text, options: .caseInsensitive).decomposedStringWithCanonicalMapping
        }
        var key = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where isKept(scalar) { key.append(scalar) }
        return key
    }

    private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return properties.generalCategory != .nonspacingMark
            && properties.canonicalCombiningClass == .notReordered && scalar != "\u{3B9}"
    }
}
