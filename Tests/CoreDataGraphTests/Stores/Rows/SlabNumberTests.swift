import StoreContract
import Testing

@testable import CoreDataGraph

@Suite struct SlabNumberTests {
    @Test("a slab that another cache takes over leaves the first, and numbers are used again")
    func slabChangesCaches() throws {
        let stack = try HeroModel.stack(.inMemory)
        let layout = stack.context.insert("Note").layout
        let binding = stack.store.binding(for: layout)
        func slab(_ keys: Range<Int64>) -> RowSlab {
            let slab = RowSlab(binding: binding, capacity: keys.count)
            for key in keys { _ = slab.appendRow(key: key, version: 1) }
            return slab
        }
        let caches = (0..<2).map { _ in RowCache(rootCount: stack.store.rowCache.rootCount) }
        let (kept, moved) = (slab(1..<5), slab(5..<9))
        caches[0].publish(kept)
        caches[0].publish(moved)
        caches[1].publish(moved)
        #expect(caches.map(\.count) == [4, 4] && caches[0].row(root: layout.root, key: 6) == nil)
        #expect(caches[1].row(root: layout.root, key: 6)?.slab === moved)
        let next = slab(7..<11)
        caches[0].publish(next)
        #expect(caches[0].row(root: layout.root, key: 7)?.slab === next && caches[1].count == 4)
        #expect(caches[0].row(root: layout.root, key: 4)?.slab === kept)
    }
}
