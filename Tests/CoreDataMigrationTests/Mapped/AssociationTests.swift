import CoreDataGraph
import TestBasics
import Testing

@testable import CoreDataMigration

/// The tables of what was made of what.
@Suite struct AssociationTests {
    @Test("a table answers as a list of pairs does, in the order in which they came (MIG-19)")
    func tableAnswersAsAList() {
        var random = SeededRandom(seed: TestSeed.first)
        var table = AssociationTable()
        var pairs: [(UInt64, UInt64)] = []
        for _ in 0..<5_000 {
            let pair = (UInt64.random(in: 0..<900, using: &random), UInt64.random(in: 0..<2_000, using: &random) << 20)
            pairs.append(pair)
            table.add(pair.0, pair.1)
        }
        for key in 0..<1_000 as Range<UInt64> {
            #expect(table.destinations(of: key) == pairs.filter { $0.0 == key }.map(\.1))
        }
        var seen = Set<UInt64>()
        for (place, pair) in pairs.enumerated() {
            #expect(table.isFirst(place) == seen.insert(pair.1).inserted)
        }
        for key in stride(from: 0 as UInt64, to: 2_100, by: 13) {
            #expect(table.sources(of: key << 20) == pairs.filter { $0.1 == key << 20 }.map(\.0))
        }
    }

    @Test("a million pairs with one destination are added and found in a moment (MIG-19)")
    func tableIsSmallAndFast() {
        var table = AssociationTable()
        let start = ContinuousClock.now
        for key in 0..<1_000_000 as Range<UInt64> { table.add(key, 7) }
        #expect(table.sources(of: 7).count == 1_000_000 && table.destinations(of: 999_999) == [7])
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test("numbers beyond the packed form are distinguished too (MIG-19)")
    func largeNumbersArePacked() {
        var packing = RecordPacking()
        let numbers = [
            RecordNumber(entity: 0, key: 0), RecordNumber(entity: 65_534, key: 1 << 48 - 1),
            RecordNumber(entity: 65_535, key: 1), RecordNumber(entity: 3, key: 1 << 48),
            RecordNumber(entity: 3, key: -1),
            RecordNumber(entity: 3, key: .max), RecordNumber(entity: 1_000_000, key: .min),
        ]
        #expect(packing.known(numbers[3]) == nil)
        let packed = numbers.map { packing.pack($0) }
        #expect(Set(packed).count == numbers.count && packed.map(packing.number) == numbers)
        #expect(numbers.map { packing.known($0) } == packed && numbers.map { packing.pack($0) } == packed)
    }
}
