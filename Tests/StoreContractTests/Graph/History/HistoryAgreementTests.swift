import CoreData
import StoreContract
import Testing

/// All kinds of store record the same of the same saves.
@Suite struct HistoryAgreementTests {
    /// SQLite's triggers also tell of a derived value that changes and comes back within one save, when a team loses one
    /// member and gets another.
    private static func withoutDerived(_ line: String) -> String {
        line.replacing("Team.people+size", with: "Team.people")
    }

    @Test("Random saves leave the same history in each kind of store")
    func randomSaves() throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            var histories: [[String]] = []
            for kind in StoreKind.keepingHistory {
                var run = HistoryRun(try HistoryModel.stack(kind), seed: seed)
                histories.append(try run.run(saves: 25).map(Self.withoutDerived))
            }
            for other in histories.dropFirst() {
                let first = zip(histories[0], other).first { $0 != $1 }
                let told = first.map { "\n\($0)\n\($1)" } ?? ""
                #expect(told.isEmpty && histories[0].count == other.count, "seed \(seed)\(told)")
            }
        }
    }
}
