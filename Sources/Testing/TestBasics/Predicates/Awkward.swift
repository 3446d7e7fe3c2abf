import Foundation

/// Attribute values that stores and comparisons easily treat wrongly.
package enum Awkward {
    package static let texts = [
        "", "a", "A", "abc", "ABC", "abcd", "b", "Ärger", "A\u{308}rger", "ärger", "Arger", "straße", "STRASSE",
        "strasse", "100%", "100", "a_b", "axb", "back\\slash", "quote's", "\"double\"", "nul\u{0}byte", "nul", "שלום",
        "مرحبا",
        "'; DROP TABLE ZPERSON; --", "İstanbul", "istanbul", "ısı", "日本", "👨‍👩‍👧", "👨", "e\u{301}", "é", "É", "a*b", "a?b",
        "\u{10FFFF}", "\u{10FFFF}x", "\u{D7FF}x", "\u{E000}", "ss", "ß", "Sales", "Soles", "Domestic Sales",
        "line\nbreak", "ΣΑΣ", "σας", "file2", "file10", "File3",
    ]
    package static let wholes: [Int64] = [0, 1, -1, 2, 3, 4, 5, 7, 42, 100, 32767, -32768]
    package static let large: [Int64] = [
        0, 1, -1, .max, .min, 9_007_199_254_740_993, 9_007_199_254_740_992, -9_007_199_254_740_993, 1 << 60, 5,
    ]
    package static let reals: [Double] = [
        0, 0.1, 0.5, 0.30000000000000004, -0.25, 1, 2.5, 1e300, -1e300, 1e-300, 9_007_199_254_740_992, 1e18, 1e19,
        .infinity, 123456.789, 5,
    ]
    package static let decimals = [
        "0", "0.1", "0.2", "0.3", "10.11", "-5", "5", "123456789012.345", "0.000001", "99999999999999",
    ]
    package static let dates: [Double] = [0, 0.1, -1, 700_000_000, 700_000_000.123456, -3_000_000_000, 1e-6]
}
