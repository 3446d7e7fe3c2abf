import CoreDataModeling
import TestBasics
import Testing

@testable import CoreDataFoundation
@testable import CoreDataSQL

/// Keys of folded texts: what is equal under options has one key.
@Suite struct FoldedKeyTests {
    private static let options: [NSComparisonPredicate.Options] = [
        .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive], .localeSensitive,
    ]

    /// All scalars of which some are anything but themselves when folded: ideographs of planes 2 and 3 are not, but for compositions.
    private static var scalars: some Sequence<Unicode.Scalar> {
        [0..<0x20000, 0x2F800..<0x2FA20, 0xE0000..<0xE1000].lazy.joined().compactMap { Unicode.Scalar($0) }
    }

    @Test("every scalar has the key of what folding makes of it, or that of what has none (PRD-17)")
    func everyScalarHasKeyOfWhatFoldingMakes() {
        var wrong: [String] = []
        for scalar in Self.scalars {
            let text = String(scalar)
            let key = FoldedKey.key(of: text)
            guard key != FoldedKey.other else { continue }
            for options in Self.options {
                let folded = FoldedKey.key(of: TextFolding.folded(text, options: options))
                if folded != key {
                    wrong.append("\(String(scalar.value, radix: 16)) \(options.rawValue): \(key) \(folded)")
                }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(40).joined(separator: "; "))")
    }

    @Test("a kept letter is one scalar that decomposition leaves alone, and no mark; all others go (PRD-17)")
    func keptLetters() {
        var wrong: [String] = []
        for scalar in Self.scalars where !scalar.isASCII {
            let parts = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
            let key = FoldedKey.key(of: String(scalar))
            let stays = key.unicodeScalars.elementsEqual([scalar])
            let isPlain = parts.elementsEqual([scalar]) && scalar.properties.canonicalCombiningClass == .notReordered
            if stays, !isPlain || scalar.properties.generalCategory == .nonspacingMark {
                wrong.append(String(scalar.value, radix: 16))
            }
            // What a server of Unicode 13 does not know must not matter.
            if let age = scalar.properties.age, age.major > 13, !parts.elementsEqual([scalar]), !key.isEmpty {
                wrong.append("new \(String(scalar.value, radix: 16))")
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(40))")
    }

    @Test("texts that are equal or begin with another under options have keys that are or do (PRD-17)")
    func textsThatAreEqualOrBeginWithAnotherUnderOptionsHaveKeys() {
        print("CORE_DATA_SEED=\(TestSeed.first)")
        var random = SeededRandom(seed: TestSeed.first)
        let letters: [Unicode.Scalar] = Self.scalars.filter {
            $0.properties.changesWhenCaseMapped || $0.properties.canonicalCombiningClass != .notReordered
                || !String($0).decomposedStringWithCanonicalMapping.unicodeScalars.elementsEqual([$0])
        }
        let plain: [Unicode.Scalar] = [
            "a", "S", "s", "é", "\u{301}", "\u{345}", "\u{323}", "α", "가", "\0", "\u{1}", "!",
        ]
        func text() -> String {
            let scalars = (0..<random.next(below: 5)).map { _ in
                random.next(below: 2) == 0
                    ? plain[random.next(below: plain.count)] : letters[random.next(below: letters.count)]
            }
            return String(String.UnicodeScalarView(scalars))
        }
        var (asked, wrong) = (0, [String]())
        for _ in 0..<(TestSeed.isExhaustive ? 400_000 : 20_000) {
            let (first, rest) = (text(), text())
            let whole = first + rest
            // The standard library composes scalars beyond U+FFFF as if they had only their lower 16 bits.
            let composed = whole.precomposedStringWithCanonicalMapping.decomposedStringWithCanonicalMapping
            guard composed.unicodeScalars.elementsEqual(whole.decomposedStringWithCanonicalMapping.unicodeScalars)
            else {
                continue
            }
            let key = FoldedKey.key(of: whole)
            for options in Self.options {
                let (folded, start) = (
                    TextFolding.folded(whole, options: options), TextFolding.folded(first, options: options)
                )
                if key != FoldedKey.other, FoldedKey.key(of: folded) != key { wrong.append("\(whole) = \(options)") }
                guard folded.unicodeScalars.starts(with: start.unicodeScalars) else { continue }
                asked += 1
                let isFound = key.unicodeScalars.starts(with: FoldedKey.key(of: start).unicodeScalars)
                if key != FoldedKey.other, !isFound {
                    wrong.append("\(whole) begins with \(first) \(options.rawValue)")
                }
            }
        }
        #expect(asked > 10_000)
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(20))")
    }

    @Test("keys distinguish texts of the common scripts, and are never longer than an index takes (PRD-17)")
    func keysDistinguishTextsOfCommonScripts() {
        let texts = [
            "Müller", "Mueller", "Øst", "Ost", "Straße", "Łódź", "Αθήνα", "Αθηναϊκή", "Москва", "Мосты", "Երևան",
            "თბილისი",
            "שלום", "سلام", "नमस्ते", "สวัสดี", "서울", "東京", "とうきょう", "トウキョウ", "ＡＢＣ", "🙂", "🙃", "x\u{1}y", "x\0y",
        ]
        #expect(Set(texts.map(FoldedKey.key)).count == texts.count)
        for (text, same) in [
            ("MÜLLER", "muller"), ("STRASSE", "straße"), ("ΑΘΗΝΑ", "Αθήνα"), ("МОСКВА", "москва"), ("ԵՐԵՒԱՆ", "Երևան"),
            ("が", "か\u{3099}"), ("ＡＢＣ", "ａｂｃ"),
        ] { #expect(FoldedKey.key(of: text) == FoldedKey.key(of: same), "\(text)") }
        #expect(FoldedKey.key(of: String(repeating: "水", count: 5_000)).utf8.count <= 400)
        #expect(FoldedKey.key(of: "ofﬁce") == FoldedKey.other)
    }

    @Test("the expression of an index stays as it is, since an index is found by its very text")
    func expressionOfIndexStays() {
        let sql = FoldedKey.sql(of: "zname")
        let hash = sql.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        #expect(
            String(hash, radix: 16) == "90bf6d69467ae6ea",
            "other lists or functions need another name of the index: \(String(hash, radix: 16))")
        #expect(sql.utf8.count < 4_096, "\(sql.utf8.count)")
    }
}
