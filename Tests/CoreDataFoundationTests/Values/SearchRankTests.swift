import CoreDataFoundation
import Foundation
import Testing

/// How well texts match the words of a search.
@Suite struct SearchRankTests {
    private func rank(_ words: String, _ text: String?) -> Int {
        SearchRank(words: words, keyPaths: ["text"]).value { _ in text }
    }

    @Test func scoreIsThatOfTheFormula() {
        // 2 · 2.2 / (2 + 1.2 · (0.25 + 0.75 · 5 / 100)) + 1 · 2.2 / (1 + 1.2 · (0.25 + 0.75 · 5 / 100)), in millionths
        let excess = 1.2 * (0.25 + 0.75 * 5 / 100)
        let expected = [2.0, 1.0].map { ($0 * 2.2 / ($0 + excess) * 1_000_000).rounded() }.reduce(0, +)
        #expect(rank("swift DATA", "Dátà, data and Swift code.") == Int(expected))
    }

    @Test func moreOccurrencesAndShorterTextsRankHigher() {
        let texts = [
            "data data data", "data data", "data", "data among a few words",
            "data " + String(repeating: "x ", count: 500),
        ]
        let ranks = texts.map { rank("data", $0) }
        #expect(ranks == ranks.sorted(by: >))
        #expect(Set(ranks).count == ranks.count)
        #expect(ranks.allSatisfy { $0 > 0 })
    }

    @Test(arguments: ["", "...", "swift data missing", "dat"])
    func whatLacksAWordHasNoRank(words: String) {
        #expect(rank(words, "swift data") == 0)
    }

    @Test func rankIsAboveZeroExactlyWhereTheSearchHolds() {
        let texts: [String?] = [
            "", nil, "日本語の文", "a b c", "ẞ ß ss", "e\u{301}té", "x" + String(repeating: " y", count: 9_999),
        ]
        for words in ["日 本", "c a", "SS", "ete", "x", "q", ""] {
            let predicate = NSPredicate.search(words, in: ["text"])
            for text in texts {
                let object = ["text": text].compactMapValues { $0 } as [String: Any]
                let holds = predicate.evaluate(with: object)
                #expect(holds == (rank(words, text) > 0), "\(words) in \(text ?? "nil")")
            }
        }
    }

    @Test func sumOverKeyPathsDoesNotDependOnTheirOrder() {
        let texts: [String: String] = ["a": "data x", "b": "data data", "c": "y data z"]
        let orders = [["a", "b", "c"], ["c", "a", "b"]].map { SearchRank(words: "data", keyPaths: $0) }
        let ranks = orders.map { rank in rank.value { texts[$0] } }
        #expect(ranks[0] == ranks[1])
        #expect(ranks[0] == texts.values.map { rank("data", $0) }.reduce(0, +))
    }

    @Test func functionCanBeWrittenInAFormat() throws {
        let predicate = try NSPredicate(parsing: "rankOfWords:in:('data', text) * 2 > 2000000")
        #expect(predicate.evaluate(with: ["text": "data"]))
        #expect(!predicate.evaluate(with: ["text": "swift"]))
        #expect(!predicate.evaluate(with: [String: Any]()))
        let again = try NSPredicate(parsing: predicate.formatString)
        #expect(again.formatString == predicate.formatString)
    }

    @Test func descriptorSortsDictionariesAndIsEqualToItsLike() throws {
        let objects: [[String: Any]] = [["t": "swift"], ["t": "data x y"], ["t": "data"], [:]]
        let best = NSSortDescriptor.searchRank(of: "data", in: ["t"])
        let sorted = objects.sorted(using: [best]).map { $0["t"] as? String }
        #expect(sorted == ["data", "data x y", "swift", nil])
        #expect(best == NSSortDescriptor.searchRank(of: "data", in: ["t"]))
        #expect(best.hash == NSSortDescriptor.searchRank(of: "data", in: ["t"]).hash)
        #expect(best != NSSortDescriptor.searchRank(of: "dat", in: ["t"]))
        let reversed = try #require(best.reversedSortDescriptor as? NSSortDescriptor)
        #expect(reversed == NSSortDescriptor.searchRank(of: "data", in: ["t"], ascending: true))
        #expect(objects.sorted(using: [reversed]).last?["t"] as? String == "data")
    }
}
