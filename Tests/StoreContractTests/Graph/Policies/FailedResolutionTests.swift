import CoreData
import StoreContract
import Testing

/// Saves that fail after a policy has worked, policies of the program's own, and what stays afterwards.
@Suite struct FailedResolutionTests {
    private static let all: [NSMergePolicy] = [
        .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
    ]

    /// Resolves like another policy, and then refuses.
    private final class Refusing: NSMergePolicy, @unchecked Sendable {
        struct Refused: Error {}
        override func resolve(mergeConflicts list: [Any]) throws {
            try super.resolve(mergeConflicts: list)
            throw Refused()
        }
    }

    /// Counts how often it is asked, and does what the program wants.
    private final class Own: NSMergePolicy, @unchecked Sendable {
        var asked: [NSMergeConflict] = []
        var body: (Own, [NSMergeConflict]) throws -> Void = { _, _ in }
        func resolveAsBuiltIn(_ list: [NSMergeConflict]) throws { try super.resolve(optimisticLockingConflicts: list) }
        override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
            asked += list
            try body(self, list)
        }
    }

    @Test("A save that fails after its policy leaves store and context as they were", arguments: StoreKind.all, all)
    func failsAfterwards(kind: StoreKind, policy: NSMergePolicy) throws {
        let songs = try Songs(kind, policy: Refusing(merge: policy.mergeType))
        let gone = songs.context.insert("Song", ["title": "Gone"])
        try songs.context.save()
        gone.setValue("Mine", forKey: "artist")
        for object in try songs.other.all("Song") where object !== songs.theirs { songs.other.delete(object) }
        try songs.changeBoth()
        let new = songs.context.insert("Song", ["title": "New"])
        let before = try songs.stored()
        let pending = songs.context.updatedObjects
        #expect(throws: Refusing.Refused.self) { try songs.context.save() }
        #expect(try songs.stored() == before)
        #expect(Songs.values(songs.mine) == ["Europe Endless", "Kraftwerk", "Trans-Europe Express", "Electronica"])
        #expect(songs.mine.changedValues() as? [String: String] == Songs.mine)
        #expect(songs.context.updatedObjects == pending && pending == [songs.mine, gone])
        #expect(gone.managedObjectContext === songs.context && gone.value(forKey: "artist") as? String == "Mine")
        #expect(new.isInserted && songs.context.insertedObjects == [new])
        #expect(songs.context.registeredObject(for: gone.objectID) === gone)
        songs.context.mergePolicy = policy
        try songs.context.save()
        #expect(!songs.context.hasChanges)
    }

    @Test("What a policy leaves as it is conflicts again: 133020 and the context as before", arguments: StoreKind.all)
    func whatPolicyLeavesAsItIsConflictsAgain(kind: StoreKind) throws {
        let own = Own(merge: .overwriteMergePolicyType)
        let songs = try Songs(kind, policy: own)
        try songs.changeBoth()
        #expect(try failure(songs.context).code == NSManagedObjectMergeError)
        #expect(own.asked.count == 1 && songs.mine.changedValues().count == 2)
    }

    @Test("A policy of the program's own sets values and leaves the rest to the built-in one", arguments: StoreKind.all)
    func ownPolicy(kind: StoreKind) throws {
        let own = Own(merge: .mergeByPropertyStoreTrumpMergePolicyType)
        own.body = { policy, list in
            try policy.resolveAsBuiltIn(list)
            list.first?.sourceObject.setValue("Both", forKey: "genre")
        }
        let songs = try Songs(kind, policy: own)
        try songs.changeBoth()
        try songs.context.save()
        #expect(try songs.stored() == [["Europe Endless", "Bacalao", "8-Bit Operators", "Both"]])
    }

    @Test("A policy may refresh the objects itself", arguments: StoreKind.all, [true, false])
    func refreshingPolicy(kind: StoreKind, merges: Bool) throws {
        let own = Own(merge: .errorMergePolicyType)
        own.body = { _, list in
            for object in list.map(\.sourceObject) {
                object.managedObjectContext?.refresh(object, mergeChanges: merges)
            }
        }
        let songs = try Songs(kind, policy: own)
        try songs.changeBoth()
        try songs.context.save()
        #expect(try songs.stored()[0][0] == (merges ? "Europe Endless" : "Metal on Metal"))
        #expect(Songs.values(songs.mine)[1] == "Bacalao" && !songs.context.hasChanges)
    }

    @Test("Who saves while a policy works is met again, and the policy asked again", arguments: StoreKind.all)
    func savedInBetween(kind: StoreKind) throws {
        let own = Own(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        let songs = try Songs(kind, policy: own)
        own.body = { policy, list in
            if policy.asked.count < 4 {
                songs.theirs.setValue("Round \(policy.asked.count)", forKey: "genre")
                try songs.other.save()
            }
            try policy.resolveAsBuiltIn(list)
        }
        try songs.changeBoth()
        try songs.context.save()
        #expect(own.asked.map(\.newVersionNumber) == [2, 3, 4, 5])
        #expect(try songs.stored() == [["Europe Endless", "Bacalao", "Trans-Europe Express", "Round 3"]])
    }

    @Test("A save within a policy is refused", arguments: StoreKind.all)
    func recursiveSave(kind: StoreKind) throws {
        let own = Own(merge: .overwriteMergePolicyType)
        own.body = { _, list in try list.first?.sourceObject.managedObjectContext?.save() }
        let songs = try Songs(kind, policy: own)
        try songs.changeBoth()
        #expect(try failure(songs.context).code == 132001)
        #expect(songs.mine.changedValues().count == 2)
    }

    @Test("What comes of a policy must keep the rules; otherwise all is as before", arguments: StoreKind.all)
    func invalidResult(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let mine = stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        let other = stack.newContext()
        try #require(try other.all("Hero").first).setValue(3, forKey: "strength")
        try other.save()
        let own = Own(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        own.body = { policy, list in
            try policy.resolveAsBuiltIn(list)
            list.first?.sourceObject.setValue(nil, forKey: "name")
        }
        mine.setValue("Anne", forKey: "name")
        stack.context.mergePolicy = own
        #expect(try failure(stack.context).code == NSValidationMissingMandatoryPropertyError)
        #expect(mine.value(forKey: "name") as? String == "Anne" && mine.value(forKey: "strength") as? Int == nil)
        #expect((mine as? Hero)?.log.filter { $0 == "snapshot 64" } == ["snapshot 64"])
    }

    @Test(
        "Undo takes back what the policy changed, then the edit; a failed save adds no step", arguments: StoreKind.all)
    func undoTakesBackWhatPolicyChanged(kind: StoreKind) throws {
        let songs = try Songs(kind, policy: Refusing(merge: .mergeByPropertyStoreTrumpMergePolicyType))
        songs.context.undoManager = UndoManager()
        // On a private queue each block is a step.
        try songs.context.performAndWait { try songs.changeBoth() }
        songs.context.performAndWait { _ = #expect(throws: Refusing.Refused.self) { try songs.context.save() } }
        songs.context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        try songs.context.performAndWait { try songs.context.save() }
        #expect(Songs.values(songs.mine) == ["Europe Endless", "Bacalao", "8-Bit Operators", "Electronica"])
        songs.context.undo()
        #expect(Songs.values(songs.mine)[2] == "Trans-Europe Express" && songs.mine.hasChanges)
        songs.context.undo()
        #expect(Songs.values(songs.mine) == ["Metal on Metal", "Bacalao", "Minimum-Maximum", "Electronica"])
    }

    @Test("An object that is watched conflicts though it is not changed", arguments: StoreKind.all)
    func detectConflicts(kind: StoreKind) throws {
        let songs = try Songs(kind)
        songs.context.detectConflicts(for: songs.mine)
        songs.context.insert("Song", ["title": "New"])
        songs.theirs.setValuesForKeys(Songs.theirs)
        try songs.other.save()
        let conflict = try #require((try failure(songs.context) as? CocoaError)?.persistentStoreSaveConflicts?.first)
        #expect(conflict.sourceObject === songs.mine && !songs.mine.hasChanges)
        songs.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try songs.context.save()
        #expect(Songs.values(songs.mine)[1] == "Bacalao" && !songs.context.hasChanges)
        songs.theirs.setValue("Later", forKey: "genre")
        try songs.other.save()
        songs.context.mergePolicy = NSMergePolicy.error
        songs.context.insert("Song", ["title": "Newer"])
        try songs.context.save()
    }

    @Test("A watched object whose record is gone is a conflict too", arguments: StoreKind.all)
    func watchedGone(kind: StoreKind) throws {
        let songs = try Songs(kind)
        songs.context.detectConflicts(for: songs.mine)
        try songs.deleteTheirs()
        let conflict = try #require((try failure(songs.context) as? CocoaError)?.persistentStoreSaveConflicts?.first)
        #expect(conflict.newVersionNumber == 0)
        songs.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try songs.context.save()
        #expect(songs.mine.managedObjectContext == nil)
    }
}
