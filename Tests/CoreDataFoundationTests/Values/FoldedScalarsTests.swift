import TestBasics
import Testing

@testable import CoreDataFoundation

@Suite struct FoldedScalarsTests {
    private static let options: [NSComparisonPredicateOptions] = [
        .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
    ]

    @Test("texts whose scalars are folded one by one become what they become as a whole (PRD-17)", arguments: 0..<3)
    func oneByOne(number: Int) throws {
        let options = Self.options[number]
        let scalars = try #require(FoldedScalars.under(options))
        var folded = 0
        for number in UInt32(1)..<0x560 {
            let text = "a" + String(try #require(Unicode.Scalar(number)))
            guard let result = scalars.folded(text) else { continue }
            folded += 1
            #expect(result.utf8.elementsEqual(TextFolding.foldedAsWhole(text, options: options).utf8), "U+\(number)")
        }
        // All below 530 but the combining marks, and what grows too much.
        #expect(folded > 1_150 && folded < 0x52F)
        var random = SeededRandom(seed: TestSeed.first)
        for _ in 0..<20_000 {
            // Marks and scalars beyond come now and then, which then fold the text as a whole.
            let text = (0..<Int.random(in: 1...9, using: &random)).reduce(into: "") { text, _ in
                let limit: UInt32 = Int.random(in: 0..<12, using: &random) == 0 ? 0x2100 : 0x530
                text.unicodeScalars.append(Unicode.Scalar(UInt32.random(in: 1..<limit, using: &random)) ?? "a")
            }
            let result = TextFolding.folded(text, options: options)
            guard text.utf8.contains(where: { $0 >= 0x80 }) else { continue }
            let whole = TextFolding.foldedAsWhole(text, options: options)
            #expect(
                result.utf8.elementsEqual(whole.utf8),
                "CORE_DATA_SEED=\(TestSeed.first): \(text.unicodeScalars.map(\.value)) became \(result), not \(whole)")
        }
    }

    @Test("what has to be seen beside its neighbours is folded as a whole (PRD-17)")
    func whatHasToBeSeenBesideItsNeighboursIsFoldedAsWhole() throws {
        let scalars = try #require(FoldedScalars.under([.caseInsensitive, .diacriticInsensitive]))
        #expect(scalars.folded("e\u{301}") == nil && scalars.folded("日") == nil && scalars.folded("ẞ") == nil)
        #expect(scalars.folded("Straße ŁÓDŹ Σίσυφος Ёлка") == "strasse łodz σισυφοσ елка")
        #expect(scalars.folded("") == "")
        #expect(FoldedScalars.under([.normalized]) == nil)
    }
}
