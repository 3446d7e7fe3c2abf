import StoreContract
import Testing

@testable import CoreDataGraph

/// Rows beside each other.
@Suite(.timeLimit(.minutes(20))) struct RowSlabTests {
    /// A row that holds a value as it is, after as many others.
    private func slab(_ layout: EntityLayout, _ value: Any, after others: Int = 0) -> RowSlab {
        let slab = RowSlab(binding: EntityBinding(layout: layout, store: nil, storeNumber: 0), capacity: 1)
        let row = slab.appendRow(key: 1, version: 1)
        for _ in 0..<others { slab.hold("another", row: row, slot: 0) }
        slab.hold(value, row: row, slot: 0)
        return slab
    }

    @Test("Values that rows hold as they are count by what they are, not by where the rows keep them")
    func heldValues() throws {
        let model = HeroModel.make()
        let layouts = ModelLayout.of(model)
        let layout = try #require(layouts.layout(named: "Note"))
        let hero = try #require(layouts.layout(named: "Hero"))
        let address = { RowAddress(binding: EntityBinding(layout: hero, store: nil, storeNumber: 0), key: $0) }
        let pairs: [(Any, Any)] = [
            (Decimal(string: "1.5") as Any, Decimal(2)), (UUID(), UUID()), (Data([1]), Data([2])),
            (address(1), address(2)), (address(1), "1"),
        ]
        for (one, other) in pairs {
            #expect(!slab(layout, one).hasSameValue(0, as: slab(layout, other), 0, slot: 0))
            #expect(slab(layout, one).hasSameValue(0, as: slab(layout, one, after: 3), 0, slot: 0))
        }
        withExtendedLifetime(model) {}
    }
}
