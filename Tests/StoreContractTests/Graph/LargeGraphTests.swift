import CoreData
import StoreContract
import TestBasics
import Testing

/// Sizes at which anything that takes the square of a number, or recursion, shows. `CORE_DATA_EXHAUSTIVE=1` makes the
/// chain a million objects long.
@Suite struct LargeGraphTests {
    @Test(
        "a long chain is deleted from its head without overflow (REL-16, HAZ-23)", .timeLimit(.minutes(20)),
        arguments: StoreKind.forScaleTests)
    func longChainCascades(kind: StoreKind) throws {
        let count = TestSeed.isExhaustive ? 1_000_000 : 100_000
        let stack = try HeroModel.stack(kind)
        let context = stack.context
        var former: NSManagedObject?
        var first: NSManagedObject?
        for number in 0..<count {
            let node = context.insert("Node", ["number": number, "previous": former])
            first = first ?? node
            former = node
        }
        try context.save()
        let head = try #require(first)
        first = nil
        former = nil
        context.delete(head)
        context.processPendingChanges()
        #expect(context.deletedObjects.count == count)
        try context.save()
        #expect(try stack.newContext().all("Node").isEmpty)
    }

    @Test(
        "a wide tree of faults is deleted whole (REL-16)", .timeLimit(.minutes(20)), arguments: StoreKind.all
    )
    func wideTreeCascades(kind: StoreKind) throws {
        var stack = try HeroModel.stack(kind)
        let ann = try #require(stack.context.insert("Hero", ["name": "Ann"]) as? Hero)
        for _ in 0..<20_000 { Power(context: stack.context).hero = ann }
        stack.context.insert("Power", ["name": "other"])
        try stack.context.save()
        stack = try stack.reopened()
        let again = try #require(try stack.context.all("Hero").first)
        stack.context.delete(again)
        stack.context.processPendingChanges()
        #expect(stack.context.deletedObjects.count == 20_001)
        try stack.context.save()
        #expect(try stack.newContext().all("Power").count == 1)
    }

    @Test(
        "a large ordered relationship is filled, turned round and emptied in bounded time (REL-10, REL-14)",
        .timeLimit(.minutes(20)), arguments: StoreKind.forScaleTests)
    func largeOrderedRelationship(kind: StoreKind) throws {
        let stack = try ListModel.stack(kind)
        let list = Playlist(context: stack.context)
        let songs = (0..<30_000).map { _ in Song(context: stack.context) }
        list.songList = songs
        let live = list.mutableOrderedSetValue(forKey: "songs")
        live.sort { _, _ in .orderedSame }
        list.songList = songs.reversed()
        #expect(live.count == 30_000 && live.firstObject as? Song === songs.last)
        for song in songs[..<10_000] { song.setValue(nil, forKey: "name") }
        live.removeObjects(in: Array(songs[..<10_000]))
        #expect(list.songs?.count == 20_000)
        live.removeAllObjects()
        #expect(live.count == 0 && songs.allSatisfy { $0.playlist == nil })
    }

    @Test(
        "members that leave one by one cost no square of their number (REL-14)", .timeLimit(.minutes(20)),
        arguments: StoreKind.forScaleTests)
    func leavingOneByOne(kind: StoreKind) throws {
        let stack = try ListModel.stack(kind)
        let list = Playlist(context: stack.context)
        let songs = (0..<100_000).map { _ in Song(context: stack.context) }
        list.songList = songs
        for song in songs { song.playlist = nil }
        #expect(list.songs?.count == 0)
    }
}
