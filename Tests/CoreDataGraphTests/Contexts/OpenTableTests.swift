import CoreDataGraph
import TestBasics
import Testing

@Suite struct OpenTableTests {
    @Test(arguments: [1, 2, 3])
    func agreesWithDictionaryOverRandomChanges(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var table = OpenTable<Int>()
        var reference: [Int64: Int] = [:]
        for step in 0..<20_000 {
            let key = Int64(random.next(below: 3_000)) - 1_500
            switch random.next(below: 10) {
            case 0..<6:
                table.set(step, for: key)
                reference[key] = step
            case 6..<9:
                table.remove(key)
                reference[key] = nil
            default: #expect(table[key] == reference[key], "seed \(seed), step \(step)")
            }
        }
        #expect(table.count == reference.count, "seed \(seed)")
        for key in Int64(-1_600)...1_600 { #expect(table[key] == reference[key], "seed \(seed), key \(key)") }
        var found: [Int64: Int] = [:]
        table.visit { found[$0] = $1 }
        #expect(found == reference)
    }

    @Test func findsKeysThatWereChosenToCollide() {
        var table = OpenTable<Int>()
        for index in 0..<5_000 { table.set(index, for: Int64(index) << 40) }
        for index in 0..<5_000 { #expect(table[Int64(index) << 40] == index) }
        for index in stride(from: 0, to: 5_000, by: 2) { table.remove(Int64(index) << 40) }
        #expect(table.count == 2_500)
        for index in 0..<5_000 { #expect(table[Int64(index) << 40] == (index.isMultiple(of: 2) ? nil : index)) }
    }

    @Test func removesOnlyWhereConditionHolds() {
        var table = OpenTable<Int>()
        table.set(1, for: 7)
        table.remove(7) { $0 == 2 }
        #expect(table[7] == 1)
        table.remove(7) { $0 == 1 }
        #expect(table[7] == nil)
        #expect(table.count == 0)
    }

    @Test func holdsExtremeKeys() {
        var table = OpenTable<Int>()
        for (value, key) in [Int64.min, -1, 0, 1, Int64.max].enumerated() { table.set(value, for: key) }
        #expect(table[.min] == 0 && table[-1] == 1 && table[0] == 2 && table[1] == 3 && table[.max] == 4)
    }

    @Test func reservesAndForgets() {
        var table = OpenTable<Int>()
        table.reserve(1_000)
        table.set(1, for: 1)
        table.removeAll()
        #expect(table.count == 0)
        #expect(table[1] == nil)
        table.set(2, for: 1)
        #expect(table[1] == 2)
    }
}
