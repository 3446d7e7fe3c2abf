import CoreData
import StoreContract
import Testing

@Suite struct LiveSetTests {
    struct Mutation: Sendable {
        let name: String
        let run: @Sendable (NSMutableSet, [Song]) -> Void
        init(_ name: String, _ run: @escaping @Sendable (NSMutableSet, [Song]) -> Void) {
            (self.name, self.run) = (name, run)
        }
    }

    /// Every mutator of `NSMutableSet`, on a set of the first five of ten songs.
    static let mutations: [Mutation] = [
        Mutation("add") { $0.add($1[7]) }, Mutation("add a member") { $0.add($1[1]) },
        Mutation("addObjects") { $0.addObjects(from: [$1[1], $1[6], $1[7]]) },
        Mutation("remove") { $0.remove($1[2]) }, Mutation("remove none") { $0.remove($1[8]) },
        Mutation("removeAllObjects") { set, _ in set.removeAllObjects() },
        Mutation("union") { $0.union(Set([$1[0], $1[9]])) }, Mutation("minus") { $0.minus(Set([$1[0], $1[9]])) },
        Mutation("intersect") { $0.intersect(Set([$1[0], $1[3], $1[9]])) },
        Mutation("setSet") { $0.setSet(Set([$1[4], $1[5]])) },
        Mutation("filter") { set, _ in set.filter(using: NSPredicate { song, _ in (song as? Song)?.name ?? "" > "2" })
        },
    ]

    @Test(
        "every mutator of the set changes the relationship as it would change a set (REL-03)",
        arguments: StoreKind.all, ["favourites", "drafts", "extras"])
    func mutatorsAgreeWithPlainSet(kind: StoreKind, key: String) throws {
        for mutation in Self.mutations {
            let name = mutation.name
            let stack = try ListModel.stack(kind)
            let (list, songs) = try stack.playlist(songs: 10)
            list.setValue(NSSet(array: Array(songs[..<5])), forKey: key)
            try stack.context.save()
            for isLoaded in [true, false] {
                if !isLoaded { stack.context.refreshAllObjects() }
                let plain = NSMutableSet(array: list.mutableSetValue(forKey: key).allObjects)
                if !isLoaded { stack.context.refreshAllObjects() }
                let live = list.mutableSetValue(forKey: key)
                mutation.run(plain, songs)
                mutation.run(live, songs)
                #expect(live.isEqual(plain) && plain.isEqual(live), "\(name), loaded: \(isLoaded)")
                #expect(list.value(forKey: key) as? NSSet == plain, "\(name), loaded: \(isLoaded)")
                try expectInverse(of: list, songs, key, plain)
                try stack.context.save()
                let other = stack.newContext()
                let again = try other.existingObject(with: list.objectID)
                let stored = again.mutableSetValue(forKey: key).compactMap { ($0 as? Song)?.name }
                #expect(Set(stored) == Set(plain.compactMap { ($0 as? Song)?.name }), "\(name), stored")
            }
        }
    }

    private func expectInverse(of list: Playlist, _ songs: [Song], _ key: String, _ plain: NSSet) throws {
        guard let inverse = ["favourites": "fans", "drafts": "drafting"][key] else { return }
        for song in songs {
            let back = song.value(forKey: inverse)
            #expect(((back as? NSSet)?.contains(list) ?? (back as? Playlist === list)) == plain.contains(song))
        }
    }

    struct Reading: Sendable {
        let name: String
        let run: @Sendable (NSSet, [Song]) -> String
        init(_ name: String, _ run: @escaping @Sendable (NSSet, [Song]) -> String) {
            (self.name, self.run) = (name, run)
        }
    }

    /// Every way in which `NSSet` is read, as a text that does not depend on the order.
    static let readings: [Reading] = [
        Reading("count") { set, _ in "\(set.count)" }, Reading("allObjects") { set, _ in names(set.allObjects) },
        Reading("anyObject") { set, _ in "\(set.anyObject().map { set.contains($0) } ?? false)" },
        Reading("contains") { set, songs in "\(songs.map { set.contains($0) }) \(set.contains("text"))" },
        Reading("member") { set, songs in "\(songs.map { set.member($0) != nil })" },
        Reading("enumerator") { set, _ in names(set.objectEnumerator().allObjects) },
        Reading("for") { set, _ in names(set.map { $0 }) },
        Reading("enumerate") { set, _ in enumerated { set.enumerateObjects($0) } },
        Reading("enumerate options") { set, _ in enumerated { set.enumerateObjects(options: [], using: $0) } },
        Reading("passing") { set, songs in "\(set.objects { song, _ in song as? Song !== songs[0] }.count)" },
        Reading("passing options") { set, songs in
            "\(set.objects(options: []) { song, _ in song as? Song !== songs[0] }.count)"
        },
        Reading("filtered") { set, _ in
            "\(set.filtered(using: NSPredicate { s, _ in (s as? Song)?.name == "1" }).count)"
        },
        Reading("sorted") { set, _ in
            "\(set.sortedArray(using: [NSSortDescriptor(key: "name", ascending: false)]).map { ($0 as? Song)?.name })"
        },
        Reading("adding") { set, songs in
            "\(set.adding(songs[9]).count) \(set.addingObjects(from: [songs[1], songs[8]]).count)"
        },
        Reading("adding set") { set, songs in "\(set.addingObjects(from: Set([songs[1], songs[8]])).count)" },
        Reading("intersects") { set, songs in "\(set.intersects(Set([songs[0]]))) \(set.intersects(Set([songs[9]])))" },
        Reading("isSubset") { set, songs in "\(set.isSubset(of: Set(songs))) \(set.isSubset(of: Set([songs[0]])))" },
        Reading("isEqual to") { set, songs in "\(set.isEqual(to: Set(songs[..<5]))) \(set.isEqual(to: Set(songs)))" },
        Reading("isEqual") { set, songs in
            "\(set.isEqual(NSSet(array: Array(songs[..<5])))) \(set.isEqual(nil)) \(NSSet(array: songs).isEqual(set))"
        },
        Reading("hash") { set, songs in "\(set.hash == NSSet(array: Array(songs[..<5])).hash)" },
        Reading("copy") { set, _ in "\(names((set.copy() as? NSSet)?.allObjects ?? [])) \(set.copy() is NSMutableSet)"
        },
        Reading("mutableCopy") { set, songs in
            let copy = set.mutableCopy() as? NSMutableSet
            copy?.add(songs[9])
            return "\(copy?.count ?? 0) \(set.count)"
        },
        Reading("description") { set, _ in "\(set.description.isEmpty) \(set.description(withLocale: nil).isEmpty)" },
        Reading("key") { set, _ in
            "\((set.value(forKey: "name") as? NSSet)?.count ?? -1) \(set.value(forKeyPath: "@max.name") ?? "")"
        },
        Reading("copied") { set, _ in "\(NSSet(set: set).count) \(NSSet(array: set.allObjects).count)" },
    ]

    @Test("the set is read like any set (REL-03)", arguments: StoreKind.all)
    func readersAgreeWithPlainSet(kind: StoreKind) throws {
        let stack = try ListModel.stack(kind)
        let (list, songs) = try stack.playlist(songs: 10)
        let plain = NSSet(array: Array(songs[..<5]))
        list.favourites = plain
        let live = list.mutableSetValue(forKey: "favourites")
        for reading in Self.readings {
            #expect(reading.run(live, songs) == reading.run(plain, songs), "\(reading.name)")
        }
        #expect(live.isEqual(list.mutableSetValue(forKey: "favourites")))
    }

    @Test(
        "the set follows what is done in other ways, also after refresh and rollback (REL-03)", arguments: StoreKind.all
    )
    func followsOtherChanges(kind: StoreKind) throws {
        let stack = try ListModel.stack(kind)
        let (list, songs) = try stack.playlist(songs: 4)
        let live = list.mutableSetValue(forKey: "drafts")
        songs[0].setValue(list, forKey: "drafting")
        list.addToDrafts([songs[1]])
        #expect(live.count == 2 && live.contains(songs[0]) && live.contains(songs[1]))
        try stack.context.save()
        songs[2].setValue(list, forKey: "drafting")
        stack.context.rollback()
        #expect(live.count == 2)
        stack.context.refresh(list, mergeChanges: false)
        #expect(list.isFault && live.count == 2)
        stack.context.delete(songs[0])
        stack.context.processPendingChanges()
        #expect(live.allObjects as? [Song] == [songs[1]])
    }

    @Test("what value(forKey:) gives cannot be changed and stays as it was (REL-02, REL-03)", arguments: StoreKind.all)
    func valueIsASnapshot(kind: StoreKind) throws {
        let stack = try ListModel.stack(kind)
        let (list, songs) = try stack.playlist(songs: 4)
        list.favourites = NSSet(array: [songs[0]])
        list.songs = [songs[0], songs[1]]
        let favourites = try #require(list.value(forKey: "favourites") as? NSSet)
        let order = try #require(list.value(forKey: "songs") as? NSOrderedSet)
        #expect(!(favourites is NSMutableSet) && !(order is NSMutableOrderedSet))
        list.mutableSetValue(forKey: "favourites").add(songs[1])
        list.mutableOrderedSetValue(forKey: "songs").removeAllObjects()
        #expect(favourites.count == 1 && order.count == 2)
        #expect(favourites as? Set<Song> == [songs[0]])
    }

    @Test("the set may be changed while it is enumerated (REL-03)", arguments: StoreKind.all)
    func changesWhileEnumerated(kind: StoreKind) throws {
        let stack = try ListModel.stack(kind)
        let (list, songs) = try stack.playlist(songs: 8)
        let live = list.mutableSetValue(forKey: "favourites")
        live.addObjects(from: songs)
        var seen = 0
        for song in live {
            live.remove(song)
            seen += 1
        }
        #expect(seen == 8 && live.count == 0 && !list.hasFault(forRelationshipNamed: "favourites"))
    }

    @Test("adding and removing mark both objects as changed (REL-03)", arguments: StoreKind.all)
    func bothSidesAreChanged(kind: StoreKind) throws {
        let stack = try ListModel.stack(kind)
        let (list, songs) = try stack.playlist(songs: 2)
        list.mutableSetValue(forKey: "favourites").add(songs[0])
        #expect(list.isUpdated && songs[0].isUpdated && !songs[1].isUpdated)
        list.addToDrafts([songs[0]])
        try stack.context.save()
        list.mutableSetValue(forKey: "favourites").remove(songs[1])
        list.mutableSetValue(forKey: "favourites").add(songs[0])
        list.mutableSetValue(forKey: "drafts").add(songs[0])
        list.mutableSetValue(forKey: "drafts").remove(songs[1])
        #expect(!stack.context.hasChanges)
    }

    @Test("the set of an object that was deleted or reset away is empty (REL-03, OBJ-26)", arguments: StoreKind.all)
    func setOfADeadObject(kind: StoreKind) throws {
        for resets in [false, true] {
            let stack = try ListModel.stack(kind)
            let (list, songs) = try stack.playlist(songs: 2)
            stack.context.dataErrorHandler = { _, _ in }
            list.songs = [songs[0]]
            list.favourites = NSSet(array: [songs[0]])
            try stack.context.save()
            let set = list.mutableSetValue(forKey: "favourites")
            let order = list.mutableOrderedSetValue(forKey: "songs")
            if resets { stack.context.reset() } else { stack.context.delete(list) }
            if !resets { try stack.context.save() }
            #expect(set.count == 0 && order.count == 0 && order.array.isEmpty)
            set.remove(songs[0])
            order.removeAllObjects()
            #expect(set.count == 0)
        }
    }

    @Test("an object of a deleted owner's set is refused with the reason (REL-03)")
    func addingToADeadObjectStops() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try ListModel.stack(.inMemory)
            let (list, songs) = try stack.playlist(songs: 1)
            stack.context.delete(list)
            try stack.context.save()
            list.mutableSetValue(forKey: "favourites").add(songs[0])
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("was deleted"))
    }

    @Test(
        "a key that does not name a to-many relationship of the kind is refused by name (REL-03)",
        arguments: ["songs", "name", "nonsense"])
    func wrongKeyStops(key: String) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [key] in
            _ = try ListModel.stack(.inMemory).context.insert("Playlist").mutableSetValue(forKey: key)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains(key) && text.contains("Playlist"))
    }

    @Test("mutable sets are found at the end of key paths (KVC-04)", arguments: StoreKind.all)
    func setsAtKeyPaths(kind: StoreKind) throws {
        let stack = try ListModel.stack(kind)
        let (list, songs) = try stack.playlist(songs: 3)
        songs[0].playlist = list
        songs[0].mutableSetValue(forKeyPath: "playlist.favourites").add(songs[1])
        songs[0].mutableOrderedSetValue(forKeyPath: "playlist.songs").insert(songs[2], at: 0)
        #expect(list.favourites == NSSet(array: [songs[1]]) && list.songList == [songs[2], songs[0]])
    }

    static func names(_ objects: [Any]) -> String { "\(objects.map { ($0 as? Song)?.name ?? "?" }.sorted())" }

    static func enumerated(_ body: ((Any, UnsafeMutablePointer<ObjCBool>) -> Void) -> Void) -> String {
        var found: [Any] = []
        body { object, _ in found.append(object) }
        return names(found)
    }
}
