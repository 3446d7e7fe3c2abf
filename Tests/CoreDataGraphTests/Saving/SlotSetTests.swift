import CoreDataGraph
import Testing

@Suite struct SlotSetTests {
    @Test func containsWhatWasInsertedAcrossWords() {
        var set = SlotSet()
        #expect(set.isEmpty)
        #expect(!set.contains(0) && !set.contains(1_000))
        for slot in [0, 63, 64, 200] { set.insert(slot) }
        #expect(!set.isEmpty)
        #expect((0..<300).filter(set.contains) == [0, 63, 64, 200])
    }

    @Test func grantsConsecutiveKeysByRoot() {
        var grant = KeyGrant([0: .init(first: 5, count: 2), 2: .init(first: 9, count: 1)])
        let keys = [grant.take(root: 0), grant.take(root: 2), grant.take(root: 0)]
        #expect(keys == [5, 9, 6])
    }
}
