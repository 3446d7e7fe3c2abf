import CoreDataSync
import TestBasics
import Testing

@Suite("Places in ordered lists")
struct ListPositionTests {
    private func run(_ author: UInt64, _ sequence: UInt64) -> ListPosition.Run {
        ListPosition.Run(TransactionID(PeerID(author), sequence), 0)
    }

    @Test("new places lie between their neighbours, wherever they are inserted")
    func placesLieBetween() {
        var random = SeededRandom(seed: TestSeed.first)
        var list: [ListPosition] = []
        for step in 1...400 {
            let index = random.next(below: list.count + 1)
            let count = 1 + random.next(below: 3)
            let left = index > 0 ? list[index - 1] : nil
            let right = index < list.count ? list[index] : nil
            let new = ListPosition.between(left, right, count: count, run: run(UInt64(1 + step % 3), UInt64(step)))
            list.insert(contentsOf: new, at: index)
            #expect(list == list.sorted() && Set(list).count == list.count, "step \(step)")
        }
    }

    @Test("runs that two peers insert at one place stay together")
    func runsStayTogether() {
        let base = ListPosition.between(nil, nil, count: 2, run: run(1, 1))
        let one = ListPosition.between(base[0], base[1], count: 5, run: run(2, 1))
        let other = ListPosition.between(base[0], base[1], count: 5, run: run(3, 1))
        let authors = (one + other).sorted().map { one.contains($0) }
        #expect(authors == Array(repeating: authors[0], count: 5) + Array(repeating: !authors[0], count: 5))
    }

    @Test("appending one by one keeps places short")
    func appendingIsShort() {
        var list = ListPosition.between(nil, nil, count: 1, run: run(1, 1))
        for offset in 1...1_000 {
            list += ListPosition.between(list.last, nil, count: 1, run: run(1, 2), extending: Int64(offset))
        }
        #expect(list == list.sorted() && list.allSatisfy { $0.steps.count == 1 })
    }

    @Test("prepending one by one keeps places short, beside what others inserted there")
    func prependingIsShort() {
        var list = ListPosition.between(nil, nil, count: 1, run: run(1, 1))
        for offset in 1...1_000 {
            list.insert(
                contentsOf: ListPosition.between(
                    nil, list[0], count: 1, run: run(1, 2), preceding: Int64(1 - offset)), at: 0)
        }
        #expect(list == list.sorted() && list.allSatisfy { $0.steps.count == 1 })
        // What hangs on the left of the first one stays on its right side when the run is extended no more.
        let other = ListPosition.between(nil, list[0], count: 1, run: run(2, 1))
        let next = ListPosition.between(other[0], list[0], count: 2, run: run(1, 3), preceding: -1_000)
        #expect((other + next + [list[0]]) == (other + next + [list[0]]).sorted())
    }
}
