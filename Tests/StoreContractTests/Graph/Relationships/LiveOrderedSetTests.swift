import CoreData
import StoreContract
import TestBasics
import Testing

@Suite struct LiveOrderedSetTests {
    struct Mutation: Sendable {
        let name: String
        let run: @Sendable (NSMutableOrderedSet, [Song]) -> Void
        init(_ name: String, _ run: @escaping @Sendable (NSMutableOrderedSet, [Song]) -> Void) {
            (self.name, self.run) = (name, run)
        }
    }

    static let byLength: @Sendable (Any, Any) -> ComparisonResult = { first, second in
        let lengths = [first, second].map { ($0 as? Song)?.value(forKey: "length") as? Int ?? 0 }
        return lengths[0] > lengths[1] ? .orderedAscending : lengths[0] < lengths[1] ? .orderedDescending : .orderedSame
    }

    /// Every mutator of `NSMutableOrderedSet`, on the first five of ten songs.
    static let mutations: [Mutation] = [
        Mutation("add") { $0.add($1[7]) }, Mutation("add a member") { $0.add($1[1]) },
        Mutation("add pointer") { set, songs in
            let objects: [AnyObject] = [songs[8], songs[9]]
            objects.withUnsafeBufferPointer { set.add($0.baseAddress, count: 2) }
        },
        Mutation("addObjects") { $0.addObjects(from: [$1[1], $1[6], $1[7]]) },
        Mutation("insert") { $0.insert($1[7], at: 2) }, Mutation("insert a member") { $0.insert($1[4], at: 0) },
        Mutation("insert at the end") { $0.insert($1[7], at: 5) },
        Mutation("insert several") { $0.insert([$1[7], $1[8]], at: [1, 4]) },
        Mutation("remove") { $0.remove($1[2]) }, Mutation("remove none") { $0.remove($1[8]) },
        Mutation("removeObject at") { set, _ in set.removeObject(at: 3) },
        Mutation("removeObjects at") { set, _ in set.removeObjects(at: [0, 3]) },
        Mutation("removeObjects range") { set, _ in set.removeObjects(in: NSRange(location: 1, length: 2)) },
        Mutation("removeObjects array") { $0.removeObjects(in: [$1[0], $1[9]]) },
        Mutation("removeAll") { set, _ in set.removeAllObjects() },
        Mutation("replace") { $0.replaceObject(at: 1, with: $1[8]) },
        Mutation("setObject") { $0.setObject($1[8], at: 1) },
        Mutation("setObject at the end") { $0.setObject($1[8], at: 5) }, Mutation("subscript") { $0[2] = $1[9] },
        Mutation("replace several") { $0.replaceObjects(at: [0, 2], with: [$1[8], $1[9]]) },
        Mutation("exchange") { set, _ in set.exchangeObject(at: 0, withObjectAt: 3) },
        Mutation("move") { set, _ in set.moveObjects(at: [0, 1], to: 2) },
        Mutation("move apart") { set, _ in set.moveObjects(at: [0, 3], to: 1) },
        Mutation("move to front") { set, _ in set.moveObjects(at: [2, 3], to: 0) },
        Mutation("union") { $0.union(NSOrderedSet(array: [$1[9], $1[0]])) },
        Mutation("unionSet") { $0.unionSet(Set([$1[9]])) },
        Mutation("minus") { $0.minus(NSOrderedSet(array: [$1[9], $1[0]])) },
        Mutation("minusSet") { $0.minusSet(Set([$1[1]])) },
        Mutation("intersectSet") { $0.intersectSet(Set([$1[9], $1[1], $1[0]])) },
        Mutation("sort") { set, _ in set.sort(comparator: byLength) },
        Mutation("sort options") { set, _ in set.sort(options: [], usingComparator: byLength) },
        Mutation("sort range") { set, _ in
            set.sortRange(NSRange(location: 1, length: 3), options: [], usingComparator: byLength)
        },
        Mutation("filter") { set, _ in set.filter(using: NSPredicate { song, _ in (song as? Song)?.name ?? "" > "2" })
        },
    ]

    @Test(
        "every mutator of the ordered set changes the relationship as it would change an ordered set (REL-10)",
        arguments: StoreKind.all, ["songs", "queue"])
    func mutatorsAgreeWithPlainSet(kind: StoreKind, key: String) throws {
        let stack = try ListModel.stack(kind)
        let (list, songs) = try stack.playlist(songs: 10)
        for mutation in Self.mutations {
            let name = mutation.name
            let plain = NSMutableOrderedSet(array: Array(songs[..<5]))
            list.setValue(plain, forKey: key)
            try stack.context.save()
            let live = list.mutableOrderedSetValue(forKey: key)
            mutation.run(plain, songs)
            mutation.run(live, songs)
            try expect(list, key, live, plain.array as? [Song] ?? [], name)
            try stack.context.save()
            let other = stack.newContext()
            let again = try other.existingObject(with: list.objectID)
            let stored = again.mutableOrderedSetValue(forKey: key).array.map { ($0 as? Song)?.name }
            #expect(stored == plain.array.map { ($0 as? Song)?.name }, "\(name), stored")
        }
    }

    /// Expects the set, its relationship and the other side to have the given members.
    private func expect(
        _ list: Playlist, _ key: String, _ live: NSMutableOrderedSet, _ members: [Song], _ name: String
    ) throws {
        #expect(live.array as? [Song] == members && live.set.count == members.count, "\(name)")
        #expect((list.value(forKey: key) as? NSOrderedSet)?.array as? [Song] == members, "\(name)")
        guard key == "songs" else { return }
        for song in members { #expect(song.playlist === list, "\(name)") }
    }

    @Test("what the plain class cannot do is done right (REL-10)", arguments: StoreKind.all)
    func whatThePlainClassCannot(kind: StoreKind) throws {
        let stack = try ListModel.stack(kind)
        let (list, songs) = try stack.playlist(songs: 6)
        list.songList = Array(songs[..<5])
        let live = list.mutableOrderedSetValue(forKey: "songs")
        live.intersect(NSOrderedSet(array: [songs[4], songs[1], songs[5]]))
        #expect(list.songList == [songs[1], songs[4]])
        live.replaceObject(at: 0, with: songs[4])
        #expect(list.songList == [songs[4]])
        let objects: [AnyObject] = [songs[3], songs[2]]
        objects.withUnsafeBufferPointer {
            live.replaceObjects(in: NSRange(location: 0, length: 1), with: $0.baseAddress, count: 2)
        }
        #expect(list.songList == [songs[3], songs[2]])
        live.addObjects(from: songs)
        live.sort(using: [NSSortDescriptor(key: "length", ascending: true)])
        #expect(list.songList == songs)
        #expect(!(live.copy() is NSMutableOrderedSet) && live.mutableCopy() is NSMutableOrderedSet)
    }

    struct Reading: Sendable {
        let name: String
        let run: @Sendable (NSOrderedSet, [Song]) -> String
        init(_ name: String, _ run: @escaping @Sendable (NSOrderedSet, [Song]) -> String) {
            (self.name, self.run) = (name, run)
        }
    }

    /// Every way in which `NSOrderedSet` is read.
    static let readings: [Reading] = [
        Reading("count") { set, _ in "\(set.count)" }, Reading("array") { set, _ in names(set.array) },
        Reading("set") { set, _ in "\(set.set.count)" }, Reading("object at") { set, _ in names([set.object(at: 2)]) },
        Reading("subscript") { set, _ in names([set[3]]) },
        Reading("index of") { set, songs in "\(songs.map { set.index(of: $0) })" },
        Reading("first") { set, _ in names([set.firstObject ?? 0, set.lastObject ?? 0]) },
        Reading("reversed") { set, _ in names(set.reversed.array) },
        Reading("objects at") { set, _ in names(set.objects(at: [0, 2])) },
        Reading("contains") { set, songs in "\(songs.map { set.contains($0) }) \(set.contains("text"))" },
        Reading("enumerators") { set, _ in
            names(set.objectEnumerator().allObjects) + names(set.reverseObjectEnumerator().allObjects)
        },
        Reading("for") { set, _ in names(set.map { $0 }) },
        Reading("enumerate") { set, _ in enumerated { set.enumerateObjects($0) } },
        Reading("enumerate backwards") { set, _ in enumerated { set.enumerateObjects(options: .reverse, using: $0) } },
        Reading("enumerate at") { set, _ in enumerated { set.enumerateObjects(at: [1, 3], using: $0) } },
        Reading("index passing") { set, songs in "\(set.index { song, _, _ in song as? Song === songs[2] })" },
        Reading("indexes passing") { set, songs in "\(set.indexes { song, _, _ in song as? Song !== songs[2] }.count)"
        },
        Reading("indexes at") { set, _ in "\(set.indexes(ofObjectsAt: [1, 2]) { _, _, _ in true }.count)" },
        Reading("filtered") { set, _ in
            names(set.filtered(using: NSPredicate { s, _ in (s as? Song)?.name != "1" }).array)
        },
        Reading("sorted") { set, _ in names(set.sortedArray(comparator: byLength)) },
        Reading("intersects") { set, songs in
            "\(set.intersects(NSOrderedSet(array: [songs[0]]))) \(set.intersectsSet(Set([songs[9]])))"
        },
        Reading("isSubset") { set, songs in
            "\(set.isSubset(of: NSOrderedSet(array: songs))) \(set.isSubset(of: Set(songs)))"
        },
        Reading("isEqual") { set, songs in
            let same = NSOrderedSet(array: Array(songs[..<5]))
            return "\(set.isEqual(same)) \(same.isEqual(set)) \(set.isEqual(to: same)) \(set.isEqual(NSOrderedSet()))"
        },
        Reading("copies") { set, _ in
            names((set.copy() as? NSOrderedSet)?.array ?? []) + names((set.mutableCopy() as? NSOrderedSet)?.array ?? [])
        },
        Reading("copied") { set, _ in
            names(NSOrderedSet(orderedSet: set).array)
                + names(NSOrderedSet(orderedSet: set, range: NSRange(location: 1, length: 2), copyItems: false).array)
        },
        Reading("others") { set, songs in
            let other = NSMutableOrderedSet(array: [songs[9], songs[0]])
            other.union(set)
            other.minus(NSOrderedSet(array: [songs[9]]))
            return names(other.array)
        },
        Reading("description") { set, _ in "\(set.description.isEmpty) \(set.description(withLocale: nil).isEmpty)" },
        Reading("key") { set, _ in "\((set.value(forKey: "name") as? NSOrderedSet)?.array ?? [])" },
    ]

    @Test("the ordered set is read like any ordered set (REL-10)", arguments: StoreKind.all)
    func readersAgreeWithPlainSet(kind: StoreKind) throws {
        let stack = try ListModel.stack(kind)
        let (list, songs) = try stack.playlist(songs: 10)
        let plain = NSOrderedSet(array: Array(songs[..<5]))
        list.songs = plain
        let live = list.mutableOrderedSetValue(forKey: "songs")
        for reading in Self.readings {
            #expect(reading.run(live, songs) == reading.run(plain, songs), "\(reading.name)")
        }
        #expect(live === list.mutableOrderedSetValue(forKey: "songs"))
    }

    @Test(
        "the ordered set follows what is done in other ways, also after refresh, rollback and reset (REL-10)",
        arguments: StoreKind.all)
    func followsOtherChanges(kind: StoreKind) throws {
        let stack = try ListModel.stack(kind)
        let (list, songs) = try stack.playlist(songs: 6)
        let live = list.mutableOrderedSetValue(forKey: "songs")
        songs[0].playlist = list
        list.addToSongs(songs[1])
        list.insertIntoSongs(songs[2], at: 0)
        #expect(live.array as? [Song] == [songs[2], songs[0], songs[1]])
        songs[0].playlist = nil
        #expect(live.array as? [Song] == [songs[2], songs[1]])
        try stack.context.save()
        list.songList = [songs[4], songs[5]]
        #expect(live.array as? [Song] == [songs[4], songs[5]])
        stack.context.rollback()
        #expect(live.array as? [Song] == [songs[2], songs[1]])
        stack.context.refresh(list, mergeChanges: false)
        #expect(list.isFault && live.array as? [Song] == [songs[2], songs[1]])
        songs[3].playlist = list
        #expect(live.array as? [Song] == [songs[2], songs[1], songs[3]])
        stack.context.delete(songs[2])
        stack.context.processPendingChanges()
        #expect(live.firstObject as? Song === songs[1] && live.count == 2)
    }

    @Test(
        "the ordered set shows what another context saved once its owner is refreshed (REL-10)",
        arguments: StoreKind.all
    )
    func followsRefresh(kind: StoreKind) throws {
        let stack = try ListModel.stack(kind)
        let (list, songs) = try stack.playlist(songs: 4)
        list.songList = songs
        try stack.context.save()
        let live = list.mutableOrderedSetValue(forKey: "songs")
        let other = stack.newContext()
        let theirs = try #require(try other.existingObject(with: list.objectID) as? Playlist)
        theirs.songList = theirs.songList.reversed()
        theirs.removeFromSongs(at: 0)
        try other.save()
        stack.context.refreshAllObjects()
        #expect(live.array as? [Song] == [songs[2], songs[1], songs[0]])
    }

    @Test("random changes through the set and around it keep both alike (REL-10)", arguments: StoreKind.all, [1, 2, 3])
    func randomChanges(kind: StoreKind, seed: UInt64) throws {
        let stack = try ListModel.stack(kind)
        let (list, songs) = try stack.playlist(songs: 12)
        let live = list.mutableOrderedSetValue(forKey: "songs")
        var random = SeededRandom(seed: seed)
        var order: [Song] = []
        for step in 0..<400 {
            let song = songs[random.next(below: songs.count)]
            let place = random.next(below: order.count + 1)
            let isMember = order.contains(song)
            switch random.next(below: 8) {
            case 0: live.insert(song, at: place)
            case 1: live.remove(song)
            case 2: live.add(song)
            case 3: song.playlist = isMember ? nil : list
            case 4 where place < order.count: live.moveObjects(at: [place], to: order.count / 2)
            case 5 where place < order.count: list.replaceSongs(at: place, with: song)
            case 6: list.insertIntoSongs(song, at: place)
            default: try stack.context.save()
            }
            let read = list.songList
            #expect(live.array as? [Song] == read && Set(read).count == read.count, "seed \(seed), step \(step)")
            #expect(songs.allSatisfy { ($0.playlist === list) == read.contains($0) }, "seed \(seed), step \(step)")
            order = read
        }
        try stack.context.save()
        let other = stack.newContext()
        let again = try other.existingObject(with: list.objectID)
        let stored = again.mutableOrderedSetValue(forKey: "songs").array.map { ($0 as? Song)?.name }
        #expect(stored == order.map(\.name), "seed \(seed)")
    }

    static func names(_ objects: [Any]) -> String { "\(objects.map { ($0 as? Song)?.name ?? "?" })" }

    static func enumerated(_ body: ((Any, Int, UnsafeMutablePointer<ObjCBool>) -> Void) -> Void) -> String {
        var found: [Any] = []
        body { object, _, _ in found.append(object) }
        return names(found)
    }
}
