import CoreData
import StoreContract
import TestBasics
import Testing

/// Contexts that take over the saves of others by themselves.
@Suite struct AutomaticMergeTests {
    @Test(
        "background saves appear without code, in their order (CTX-20)", .timeLimit(.minutes(20)),
        arguments: StoreKind.all)
    func backgroundSavesAppearWithoutCode(kind: StoreKind) async throws {
        let scene = try MergeScene(kind)
        let (main, others) = (scene.mine, [scene.theirs, scene.stack.newContext()])
        let ann = try main.performAndWait { Transfer(try main.hero("Ann")) }
        main.automaticallyMergesChangesFromParent = true
        let board = NoticeBoard(.NSManagedObjectContextDidMergeChangesObjectIDs, of: main)
        for number in 0..<20 {
            let context = others[number % 2]
            try await context.perform {
                context.refreshAllObjects()
                try context.hero("Ann").strength = Int16(100 + number)
                if number == 3 { context.insert("Hero", ["name": "Cid"]) }
                if number == 4 { context.delete(try context.hero("Cid")) }
                try context.save()
            }
        }
        await eventually("twenty merges") { board.all.count >= 20 }
        #expect(main.performAndWait { ann.value.strength == 119 && !main.hasChanges })
        #expect(board.all.count == 20)
        #expect(
            board.keys[3].contains(NSInsertedObjectIDsKey)
                && board.keys[4].contains(NSDeletedObjectIDsKey))
    }

    @Test(
        "who does not ask, who saves, and what was missed are left alone (CTX-20)",
        .timeLimit(.minutes(20)), arguments: StoreKind.all)
    func leftAlone(kind: StoreKind) async throws {
        let scene = try MergeScene(kind)
        let (asking, silent, saving) = (scene.mine, scene.stack.newContext(), scene.theirs)
        let missed = try asking.performAndWait { Transfer(try asking.hero("Ann")) }
        let unaware = try silent.performAndWait { Transfer(try silent.hero("Bob")) }
        try saving.performAndWait {
            try saving.hero("Ann").name = "Anne"
            try saving.save()
        }
        for context in [asking, saving] { context.automaticallyMergesChangesFromParent = true }
        let boards = [asking, silent, saving].map {
            NoticeBoard(.NSManagedObjectContextDidMergeChangesObjectIDs, of: $0)
        }
        func save(_ name: String) throws {
            try saving.performAndWait {
                let bob = try #require(try saving.all("Hero", nil, sortedBy: "name").last)
                bob.setValue(name, forKey: "name")
                try saving.save()
            }
        }
        try save("Bert")
        await eventually("the merge of the first context") { !boards[0].all.isEmpty }
        #expect(asking.performAndWait { missed.value.name == "Ann" })
        #expect(silent.performAndWait { unaware.value.name == "Bob" })
        asking.automaticallyMergesChangesFromParent = false
        try save("Bill")
        for context in [asking, silent, saving] { context.performAndWait {} }
        #expect(boards.map(\.all.count) == [1, 0, 0])
    }

    @Test("a context that asks is not kept alive (CTX-20)", arguments: StoreKind.all)
    func heldWeakly(kind: StoreKind) throws {
        let scene = try MergeScene(kind)
        weak var gone: NSManagedObjectContext?
        do {
            let context = scene.stack.newContext()
            context.automaticallyMergesChangesFromParent = true
            gone = context
        }
        #expect(gone == nil)
        try scene.theirs.hero("Ann").name = "Anne"
        try scene.theirs.save()
    }

    @Test("a coordinator may be set after the wish to merge (CTX-20)", .timeLimit(.minutes(20)))
    func coordinatorSetLater() async throws {
        let scene = try MergeScene(.inMemory)
        let context = NSManagedObjectContext(.privateQueue)
        context.automaticallyMergesChangesFromParent = true
        context.persistentStoreCoordinator = scene.stack.coordinator
        let board = NoticeBoard(.NSManagedObjectContextDidMergeChangesObjectIDs, of: context)
        try scene.theirs.performAndWait {
            try scene.theirs.hero("Ann").name = "Anne"
            try scene.theirs.save()
        }
        await eventually("the merge") { !board.all.isEmpty }
        #expect(board.identifiers(NSUpdatedObjectIDsKey).count == 1)
    }

    private struct Transfer<Value>: @unchecked Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }
}
