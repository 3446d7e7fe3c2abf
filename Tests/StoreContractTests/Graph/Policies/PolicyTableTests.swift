import CoreData
import StoreContract
import Testing

/// What each merge policy makes of a song that was changed on both sides.
@Suite struct PolicyTableTests {
    private static let expected: [(policy: NSMergePolicy, values: [String])] = [
        (
            NSMergeByPropertyStoreTrumpMergePolicy,
            ["Europe Endless", "Bacalao", "8-Bit Operators", "Electronica"]
        ),
        (
            NSMergeByPropertyObjectTrumpMergePolicy,
            ["Europe Endless", "Bacalao", "Trans-Europe Express", "Electronica"]
        ),
        (NSOverwriteMergePolicy, ["Europe Endless", "Kraftwerk", "Trans-Europe Express", "Electronica"]),
        (NSRollbackMergePolicy, ["Metal on Metal", "Bacalao", "8-Bit Operators", "Electronica"]),
    ]

    @Test(
        "the table of the policies, in memory and in the store (CTX-22, CTX-23, CTX-24, CTX-25)",
        arguments: StoreKind.all, 0..<4)
    func tableOfPoliciesInMemoryAndInStore(kind: StoreKind, row: Int) throws {
        let songs = try Songs(kind, policy: Self.expected[row].policy)
        try songs.changeBoth()
        try songs.context.save()
        #expect(Songs.values(songs.mine) == Self.expected[row].values)
        #expect(try songs.stored() == [Self.expected[row].values])
        #expect(!songs.context.hasChanges && songs.mine.changedValues().isEmpty)
    }

    @Test(
        "the same with two coordinators on one file (CTX-22, CTX-23, CTX-24, CTX-25)", arguments: [StoreKind.sqlite],
        0..<4)
    func tableOfTwoCoordinators(kind: StoreKind, row: Int) throws {
        let songs = try Songs(kind, coordinators: 2, policy: Self.expected[row].policy)
        try songs.changeBoth()
        try songs.context.save()
        #expect(Songs.values(songs.mine) == Self.expected[row].values)
        #expect(try songs.stack.reopened().context.all("Song").map(Songs.values) == [Self.expected[row].values])
    }

    @Test(
        "the default refuses; store and context stay as they were (CTX-21)", arguments: StoreKind.all,
        [true, false])
    func defaultRefusesStoreAndContextStay(kind: StoreKind, isPolicy: Bool) throws {
        let songs = try Songs(kind, policy: isPolicy ? NSMergePolicy.error : "no policy")
        try songs.changeBoth()
        let error = try failure(songs.context)
        #expect(error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectMergeError)
        #expect((error as? CocoaError)?.code == .managedObjectMerge)
        #expect(error.userInfo[NSUpdatedObjectsKey] as? [NSManagedObjectID] == [songs.mine.objectID])
        let conflict = try #require((error.userInfo["conflictList"] as? [NSMergeConflict])?.first)
        #expect(conflict.sourceObject === songs.mine && conflict.sourceObject.objectID == songs.theirs.objectID)
        #expect(conflict.oldVersionNumber == 1 && conflict.newVersionNumber == 2)
        #expect(conflict.objectSnapshot as? [String: String] == Songs.stored)
        #expect(conflict.cachedSnapshot?["artist"] as? String == "Bacalao")
        #expect(songs.mine.changedValues() as? [String: String] == Songs.mine)
        #expect(songs.mine.isUpdated && songs.context.updatedObjects == [songs.mine])
        #expect(try songs.stored() == [Songs.values(songs.theirs)])
        #expect(try failure(songs.context).code == NSManagedObjectMergeError)
    }

    @Test("the conflict with another coordinator has what the store has (CTX-21)", arguments: [StoreKind.sqlite])
    func persistedSnapshot(kind: StoreKind) throws {
        let songs = try Songs(kind, coordinators: 2)
        try songs.changeBoth()
        let error = try failure(songs.context)
        let conflict = try #require((error.userInfo["conflictList"] as? [NSMergeConflict])?.first)
        #expect(conflict.cachedSnapshot as? [String: String] == Songs.stored)
        #expect(conflict.persistedSnapshot?["album"] as? String == "8-Bit Operators")
        #expect((error as? CocoaError)?.persistentStoreSaveConflicts?.count == 1)
    }

    @Test("a program refreshes the object, sets what it chose again, and saves (CTX-26)", arguments: StoreKind.all)
    func resolvedByHand(kind: StoreKind) throws {
        let songs = try Songs(kind)
        try songs.changeBoth()
        let error = try failure(songs.context)
        let conflict = try #require((error.userInfo["conflictList"] as? [NSMergeConflict])?.first)
        let chosen = conflict.sourceObject.changedValues().filter { $0.key == "title" }
        songs.context.refresh(conflict.sourceObject, mergeChanges: false)
        songs.mine.setValuesForKeys(chosen)
        try songs.context.save()
        let result = ["Europe Endless", "Bacalao", "8-Bit Operators", "Electronica"]
        #expect(try Songs.values(songs.mine) == result && songs.stored() == [result])
    }

    @Test(
        "a conflict has both versions of every property to show to a user; the choice is saved (CTX-27)",
        arguments: StoreKind.all
    )
    func shownToUser(kind: StoreKind) throws {
        let songs = try Songs(kind)
        try songs.changeBoth()
        let conflict = try #require((try failure(songs.context) as? CocoaError)?.persistentStoreSaveConflicts?.first)
        let song = conflict.sourceObject
        let theirs = conflict.persistedSnapshot ?? conflict.cachedSnapshot ?? [:]
        let shown = Songs.keys.map { key in
            (key, song.value(forKey: key) as? String ?? "", theirs[key] as? String ?? "")
        }
        #expect(song.entity.name == "Song" && !song.objectID.isTemporaryID)
        #expect(shown.map(\.1) == ["Europe Endless", "Kraftwerk", "Trans-Europe Express", "Electronica"])
        #expect(shown.map(\.2) == ["Metal on Metal", "Bacalao", "8-Bit Operators", "Electronica"])
        // The user takes the album as it is here, and all else from the others.
        let choice = shown.first { $0.0 == "album" }.map { [$0.0: $0.1] } ?? [:]
        songs.context.refresh(song, mergeChanges: false)
        song.setValuesForKeys(choice)
        try songs.context.save()
        #expect(try songs.stored() == [["Metal on Metal", "Bacalao", "Trans-Europe Express", "Electronica"]])
    }

    @Test("The constants are the class's policies, each of its type")
    func constantsAreClasssPolicies() {
        #expect(NSErrorMergePolicy === NSMergePolicy.error && NSMergePolicy.error.mergeType == .errorMergePolicyType)
        #expect(NSMergeByPropertyStoreTrumpMergePolicy === NSMergePolicy.mergeByPropertyStoreTrump)
        #expect(NSMergeByPropertyObjectTrumpMergePolicy === NSMergePolicy.mergeByPropertyObjectTrump)
        #expect(NSOverwriteMergePolicy === NSMergePolicy.overwrite)
        #expect(NSRollbackMergePolicy === NSMergePolicy.rollback)
        #expect(NSMergePolicy.rollback.mergeType == .rollbackMergePolicyType)
        #expect(NSMergePolicy(merge: .overwriteMergePolicyType).mergeType == .overwriteMergePolicyType)
    }
}
