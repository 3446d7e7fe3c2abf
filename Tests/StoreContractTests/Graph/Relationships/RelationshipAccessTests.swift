import CoreData
import StoreContract
import Testing

@Suite struct RelationshipAccessTests {
    @Test("accessors of every form read and set the same members (KVC-19)", arguments: StoreKind.all)
    func formsOfAccessors(kind: StoreKind) throws {
        let stack = try ListModel.stack(kind)
        let (list, songs) = try stack.playlist(songs: 4)
        list.songs = NSOrderedSet(array: [songs[2], songs[0]])
        #expect(list.songList == [songs[2], songs[0]] && list.songs?.array as? [Song] == list.songList)
        list.songList = [songs[1]]
        #expect(list.songs == NSOrderedSet(array: [songs[1]]) && songs[1].playlist === list)
        list.favourites = NSSet(array: [songs[3], songs[0]])
        list.drafts = [songs[3]]
        #expect(list.favourites?.count == 2 && list.drafts == [songs[3]])
        #expect((list.value(forKey: "favourites") as? NSSet) == list.favourites)
        (list.songs, list.favourites, list.drafts) = (nil, nil, nil)
        #expect(list.songs?.count == 0 && list.favourites?.count == 0 && list.drafts?.isEmpty == true)
        #expect(songs[1].playlist == nil)
    }

    @Test("adding and removing one, a set and an ordered set (KVC-19)", arguments: StoreKind.all)
    func addingAndRemoving(kind: StoreKind) throws {
        let stack = try ListModel.stack(kind)
        let (list, songs) = try stack.playlist(songs: 6)
        list.addToFavourites(songs[0])
        list.addToFavourites(NSSet(array: [songs[0], songs[1], songs[2]]))
        list.removeFromFavourites(songs[1])
        list.removeFromFavourites(NSSet(array: [songs[2], songs[5]]))
        #expect(list.favourites == NSSet(array: [songs[0]]))
        list.addToDrafts([songs[3], songs[4]])
        list.removeFromDrafts([songs[4]])
        #expect(list.drafts == [songs[3]] && songs[4].value(forKey: "drafting") == nil)
        list.addToSongs(NSOrderedSet(array: [songs[5], songs[4]]))
        list.addToSongs(songs[3])
        list.removeFromSongs(NSOrderedSet(array: [songs[4]]))
        list.removeFromSongs(songs[0])
        #expect(list.songList == [songs[5], songs[3]])
    }

    @Test("inserting, removing and replacing at places of an ordered relationship (KVC-19)", arguments: StoreKind.all)
    func insertingRemovingAndReplacingAtPlacesOfOrderedRelationship(kind: StoreKind) throws {
        let stack = try ListModel.stack(kind)
        let (list, songs) = try stack.playlist(songs: 9)
        list.songList = Array(songs[..<4])
        list.insertIntoSongs(songs[4], at: 1)
        list.insertIntoSongs([songs[5], songs[6]], at: NSIndexSet(indexesIn: NSRange(location: 3, length: 2)))
        #expect(list.songList == [0, 4, 1, 5, 6, 2, 3].map { songs[$0] })
        list.removeFromSongs(at: 0)
        list.removeFromSongs(at: NSIndexSet(indexesIn: NSRange(location: 1, length: 2)))
        #expect(list.songList == [4, 6, 2, 3].map { songs[$0] } && songs[5].playlist == nil)
        list.replaceSongs(at: 1, with: songs[7])
        list.replaceSongs(at: NSIndexSet(indexesIn: NSRange(location: 2, length: 2)), with: [songs[8], songs[4]])
        #expect(list.songList == [7, 8, 4].map { songs[$0] })
        try stack.context.save()
        let other = stack.newContext()
        let again = try #require(try other.existingObject(with: list.objectID) as? Playlist)
        #expect(again.songList.map(\.name) == ["7", "8", "4"])
    }

    @Test("an index beyond the members stops with relationship and entity (KVC-19)")
    func wrongIndexStops() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (list, songs) = try ListModel.stack(.inMemory).playlist(songs: 2)
            list.insertIntoSongs(songs[0], at: 1)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("'songs' of entity 'Playlist'"))
    }

    @Test("a proxy, a mutator and the other side leave the same state (REL-04)", arguments: StoreKind.all)
    func threeWaysOneState(kind: StoreKind) throws {
        var states: [[String]] = []
        for way in 0..<3 {
            let stack = try ListModel.stack(kind)
            let (list, songs) = try stack.playlist(songs: 1)
            switch way {
            case 0: list.mutableSetValue(forKey: "drafts").add(songs[0])
            case 1: list.addToDrafts([songs[0]])
            default: songs[0].setValue(list, forKey: "drafting")
            }
            #expect(list.drafts == [songs[0]] && songs[0].value(forKey: "drafting") as? Playlist === list)
            states.append(["\(list.isUpdated) \(songs[0].isUpdated) \(list.changedValues().keys.sorted())"])
            try stack.context.save()
            #expect(try stack.newContext().all("Song", NSPredicate(format: "drafting != nil")).count == 1)
        }
        #expect(Set(states).count == 1)
    }

    @Test("lists show members in the declared order, and equal ones always alike (REL-11)", arguments: StoreKind.all)
    func displayOrder(kind: StoreKind) throws {
        let model = ListModel.make()
        let favourites = try #require(model.entitiesByName["Playlist"]?.relationshipsByName["favourites"])
        favourites.userInfo = [NSRelationshipDescription.displayOrderUserInfoKey: "-length, name"]
        let stack = try Stack(model, kind: kind)
        let (list, songs) = try stack.playlist(songs: 6)
        for song in songs { song.setValue(song.name == "3" ? 9 : 1, forKey: "length") }
        list.favourites = NSSet(array: songs)
        list.drafts = Set(songs)
        list.songList = songs.reversed()
        for song in songs[..<3] { song.name = "same" }
        let shown = list.displayedObjects(forKey: "favourites") as? [Song]
        #expect(shown == [3, 4, 5, 0, 1, 2].map { songs[$0] })
        #expect(list.displayedObjects(forKey: "drafts") as? [Song] == [3, 4, 5, 0, 1, 2].map { songs[$0] })
        #expect(list.displayedObjects(forKey: "songs") as? [Song] == songs.reversed())
        let backwards = [NSSortDescriptor(key: "name", ascending: false)]
        #expect(list.displayedObjects(forKey: "songs", by: backwards).first === songs[0])
        try stack.context.save()
        let other = stack.newContext()
        let again = try other.existingObject(with: list.objectID)
        #expect(again.displayedObjects(forKey: "favourites").map(\.objectID) == shown?.map(\.objectID))
    }

    @Test(
        "of an inverse-less relationship the context shows one owner, as the store keeps (REL-12)",
        arguments: StoreKind.all, ["extras", "queue"])
    func memberHasOneOwner(kind: StoreKind, key: String) throws {
        let stack = try ListModel.stack(kind)
        let (first, songs) = try stack.playlist(songs: 3)
        let second = Playlist(context: stack.context)
        first.setValue(songs, forKey: key)
        try stack.context.save()
        second.setValue([songs[0]], forKey: key)
        #expect(names(first, key) == ["1", "2"] && names(second, key) == ["0"])
        try stack.context.save()
        #expect(names(first, key) == ["1", "2"])
        stack.context.refreshAllObjects()
        #expect(names(first, key) == ["1", "2"] && names(second, key) == ["0"])
        // The former owner has not been looked at when the member moves.
        stack.context.refreshAllObjects()
        second.setValue(songs, forKey: key)
        #expect(names(first, key) == [])
        first.setValue([songs[2]], forKey: key)
        try stack.context.save()
        let other = stack.newContext()
        #expect(names(try other.existingObject(with: first.objectID), key) == ["2"])
        #expect(names(try other.existingObject(with: second.objectID), key) == ["0", "1"])
        #expect(names(first, key) == ["2"] && names(second, key) == ["0", "1"])
    }

    private func names(_ list: NSManagedObject, _ key: String) -> [String] {
        list.displayedObjects(forKey: key, by: [NSSortDescriptor(key: "name", ascending: true)])
            .compactMap { $0.value(forKey: "name") as? String }
    }

    @Test(
        "what leaves an owned relationship is deleted by the save, unless another owner has it (REL-20)",
        arguments: StoreKind.all)
    func ownedMembers(kind: StoreKind) throws {
        let model = ListModel.make()
        for key in ["songs", "drafts", "favourites"] {
            let relationship = model.entitiesByName["Playlist"]?.relationshipsByName[key]
            relationship?.userInfo = [NSRelationshipDescription.ownedUserInfoKey: "YES"]
        }
        let stack = try Stack(model, kind: kind)
        let (list, songs) = try stack.playlist(songs: 5)
        list.songList = songs
        list.favourites = NSSet(array: [songs[1]])
        try stack.context.save()
        list.removeFromSongs(at: NSIndexSet(indexesIn: NSRange(location: 0, length: 2)))
        songs[2].playlist = nil
        songs[3].playlist = Playlist(context: stack.context)
        try stack.context.save()
        let other = stack.newContext()
        let left = try other.all("Song", sortedBy: "name").compactMap { $0.value(forKey: "name") as? String }
        #expect(left == ["1", "3", "4"])
        list.removeFromFavourites(songs[1])
        list.mutableOrderedSetValue(forKey: "tags").add(stack.context.insert("Tag"))
        try stack.context.save()
        #expect(try stack.newContext().all("Song").count == 2)
    }

    @Test("without the mark what leaves a relationship stays (REL-20)", arguments: StoreKind.all)
    func membersWithoutOwnerStay(kind: StoreKind) throws {
        let stack = try ListModel.stack(kind)
        let (list, songs) = try stack.playlist(songs: 2)
        list.songList = songs
        try stack.context.save()
        list.songs = nil
        try stack.context.save()
        #expect(try stack.newContext().all("Song", NSPredicate(format: "playlist == nil")).count == 2)
    }

    @Test("too few and too many members are refused with their codes (VAL-08, REL-10)", arguments: StoreKind.all)
    func memberCounts(kind: StoreKind) throws {
        let model = ListModel.make()
        let songs = try #require(model.entitiesByName["Playlist"]?.relationshipsByName["songs"])
        (songs.minCount, songs.maxCount, songs.isOptional) = (2, 3, false)
        for (count, code) in [(0, 1580), (1, 1580), (2, 0), (3, 0), (4, 1590)] {
            let stack = try Stack(model, kind: kind)
            let list = Playlist(context: stack.context)
            for _ in 0..<count { list.addToSongs(Song(context: stack.context)) }
            var found = 0
            do { try stack.context.save() } catch {
                found = (error as NSError).code
                #expect((error as NSError).userInfo[NSValidationKeyErrorKey] as? String == "songs")
            }
            // Without any member two rules are broken for a relationship that is not optional.
            #expect(found == code || count == 0 && found != 0, "\(count) members")
        }
    }

    @Test(
        "an ordered member that leaves and comes back stands at the end, also in the store (REL-10)",
        arguments: StoreKind.all)
    func leavingAndComingBack(kind: StoreKind) throws {
        let stack = try ListModel.stack(kind)
        let (list, songs) = try stack.playlist(songs: 3)
        list.songList = songs
        try stack.context.save()
        list.removeFromSongs(songs[0])
        list.addToSongs(songs[0])
        #expect(list.songList == [songs[1], songs[2], songs[0]] && list.hasChanges)
        try stack.context.save()
        let other = stack.newContext()
        let again = try #require(try other.existingObject(with: list.objectID) as? Playlist)
        #expect(again.songList.map(\.name) == ["1", "2", "0"])
    }

    @Test("committed and changed values of relationships (OBJ-11)", arguments: StoreKind.all)
    func committedRelationships(kind: StoreKind) throws {
        let stack = try ListModel.stack(kind)
        let (list, songs) = try stack.playlist(songs: 4)
        list.songList = [songs[2], songs[0], songs[1]]
        list.favourites = NSSet(array: [songs[0]])
        try stack.context.save()
        list.songList = [songs[3], songs[1], songs[2]]
        list.addToFavourites(songs[1])
        songs[1].playlist = nil
        let committed = list.committedValues(forKeys: ["songs", "favourites", "drafts", "name"])
        #expect((committed["songs"] as? NSOrderedSet)?.array as? [Song] == [songs[2], songs[0], songs[1]])
        #expect(
            committed["favourites"] as? NSSet == NSSet(array: [songs[0]]) && committed["drafts"] as? NSSet == NSSet())
        #expect(committed["name"] is NSNull)
        #expect(list.changedValues().keys.sorted() == ["favourites", "songs"])
        #expect((list.changedValues()["songs"] as? NSOrderedSet)?.array as? [Song] == [songs[3], songs[2]])
        #expect(songs[1].committedValues(forKeys: ["playlist"])["playlist"] as? Playlist === list)
        #expect(songs[1].changedValues()["playlist"] is NSNull)
    }

    @Test("identifiers of a relationship's objects are had without the objects (OBJ-13)", arguments: StoreKind.all)
    func identifiersOfMembers(kind: StoreKind) throws {
        let stack = try ListModel.stack(kind)
        let (list, songs) = try stack.playlist(songs: 3)
        list.songList = [songs[2], songs[0]]
        try stack.context.save()
        let context = stack.newContext()
        let again = try context.existingObject(with: list.objectID)
        #expect(again.hasFault(forRelationshipNamed: "songs"))
        #expect(again.objectIDs(forRelationshipNamed: "songs") == [songs[2], songs[0]].map(\.objectID))
        #expect(again.hasFault(forRelationshipNamed: "songs") && context.registeredObjects.count == 1)
        #expect(songs[0].objectIDs(forRelationshipNamed: "playlist") == [list.objectID])
        #expect(songs[1].objectIDs(forRelationshipNamed: "playlist") == [])
        list.addToSongs(songs[1])
        #expect(list.objectIDs(forRelationshipNamed: "songs").last == songs[1].objectID)
    }
}
