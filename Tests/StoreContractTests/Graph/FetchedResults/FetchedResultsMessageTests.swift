import CoreData
import StoreContract
import Testing

/// What a delegate is told.
struct FetchedResultsMessageTests {
    /// A list of cards by name, with sections, and its mirror.
    private final class Fixture {
        let stack: Stack
        let cards: [NSManagedObject]
        let controller: NSFetchedResultsController<NSManagedObject>
        let mirror = ListMirror()
        var context: NSManagedObjectContext { stack.context }

        init(
            _ kind: StoreKind, _ names: [String], sections: String? = "name", predicate: String? = nil
        ) throws {
            let stack = try CardModel.stack(kind)
            self.stack = stack
            cards = names.enumerated().map { number, name in
                stack.context.insert("Card", ["name": name, "number": number, "rank": 0, "isHidden": false])
            }
            try stack.context.save()
            controller = stack.context.controller(
                CardModel.request("name", "number", predicate: predicate), sections: sections)
            try controller.performFetch()
            mirror.adopt(controller)
            controller.delegate = mirror
        }

        /// Makes a change, and gives the messages about it; the mirror must show what the controller does.
        func log(_ change: () throws -> Void) throws -> [String] {
            let former = mirror.changes
            try change()
            context.processPendingChanges()
            #expect(mirror.differences(from: controller) == [])
            return mirror.changes == former ? [] : mirror.log
        }
    }

    @Test("the last row goes, and the first one comes (FRC-07)", arguments: StoreKind.all)
    func isEmptied(_ kind: StoreKind) throws {
        let list = try Fixture(kind, ["A"])
        #expect(
            try list.log { list.context.delete(list.cards[0]) } == [
                "will", "section delete 0 A", "delete 0.0 -", "did",
            ])
        #expect(list.controller.sections?.isEmpty == true)
        #expect(
            try list.log { list.context.cards("B") } == ["will", "section insert 0 B", "insert - 0.0", "did"])
        let empty = list.context.controller(CardModel.request("name", predicate: "name == 'none'"), sections: "name")
        try empty.performFetch()
        #expect(empty.sections?.isEmpty == true)
        #expect(empty.fetchedObjects == [])
    }

    @Test("one pair of brackets for each event, none for an event elsewhere (FRC-10)", arguments: StoreKind.all)
    func bracketsOnce(_ kind: StoreKind) throws {
        let list = try Fixture(kind, ["A", "B", "C"])
        let log = try list.log {
            list.context.delete(list.cards[0])
            list.cards[1].setValue(3, forKey: "rank")
            list.context.cards("D", "E")
        }
        #expect(log.filter { $0 == "will" || $0 == "did" } == ["will", "did"])
        #expect(log.count == 2 + 3 + 4)
        #expect(try list.log { list.context.insert("Suit", ["title": "x"]) } == [])
        #expect(try list.log { try list.context.save() } == [])
        #expect(list.mirror.changes == 1)
    }

    @Test("insertion, deletion, update and move have the paths that they should (FRC-11)", arguments: StoreKind.all)
    func saysWhatHappened(_ kind: StoreKind) throws {
        let list = try Fixture(kind, ["A", "B", "D"], sections: nil)
        #expect(try list.log { list.context.cards("C") } == ["will", "insert - 0.2", "did"])
        #expect(try list.log { list.cards[1].setValue(7, forKey: "rank") } == ["will", "update 0.1 -", "did"])
        #expect(try list.log { list.cards[0].setValue("E", forKey: "name") } == ["will", "move 0.0 0.3", "did"])
        #expect(try list.log { list.cards[0].setValue("F", forKey: "name") } == ["will", "update 0.3 -", "did"])
        #expect(try list.log { list.context.delete(list.cards[1]) } == ["will", "delete 0.0 -", "did"])
        #expect(list.controller.table() == [": C D F"])
    }

    @Test("sections come, go and change places with their rows (FRC-12)", arguments: StoreKind.all)
    func sectionsComeAndGo(_ kind: StoreKind) throws {
        let list = try Fixture(kind, ["A", "A", "B", "C"])
        #expect(
            try list.log {
                list.context.delete(list.cards[2])
                list.context.cards("AB", "D")
            } == [
                "will", "section delete 1 B", "section insert 1 AB", "section insert 3 D", "delete 1.0 -",
                "insert - 1.0", "insert - 3.0", "did",
            ])
        // Emptied and filled again by others in one event, a section stays.
        #expect(
            try list.log {
                list.context.delete(list.cards[3])
                list.context.cards("C")
            } == ["will", "delete 2.0 -", "insert - 2.0", "did"])
    }

    @Test("another value of the section key is a move (FRC-13)", arguments: StoreKind.all)
    func sectionKeyMoves(_ kind: StoreKind) throws {
        let list = try Fixture(kind, ["A", "A", "B"])
        #expect(try list.log { list.cards[1].setValue("B", forKey: "name") } == ["will", "move 0.1 1.0", "did"])
        #expect(
            try list.log { list.cards[0].setValue("AA", forKey: "name") } == [
                "will", "section delete 0 A", "section insert 0 AA", "move 0.0 0.0", "did",
            ])
    }

    @Test("objects enter and leave by their values and by those of related ones (FRC-14)", arguments: StoreKind.all)
    func followsValues(_ kind: StoreKind) throws {
        let list = try Fixture(kind, ["A", "B"], predicate: "isHidden == NO AND (guest == nil OR guest.place < 3)")
        #expect(
            try list.log { list.cards[0].setValue(true, forKey: "isHidden") } == [
                "will", "section delete 0 A", "delete 0.0 -", "did",
            ])
        #expect(
            try list.log { list.cards[0].setValue(false, forKey: "isHidden") } == [
                "will", "section insert 0 A", "insert - 0.0", "did",
            ])
        let guest = list.context.insert("Suit", ["place": 1])
        _ = try list.log { list.cards[1].setValue(guest, forKey: "guest") }
        try list.context.save()
        // The way back from a guest to its cards is in no relationship.
        #expect(
            try list.log { guest.setValue(5, forKey: "place") } == [
                "will", "section delete 1 B", "delete 1.0 -", "did",
            ])
        try list.context.save()
        #expect(
            try list.log { guest.setValue(2, forKey: "place") } == [
                "will", "section insert 1 B", "insert - 1.0", "did",
            ])
    }

    @Test("a section key along a relationship is followed (FRC-14)", arguments: StoreKind.all)
    func followsSections(_ kind: StoreKind) throws {
        let stack = try CardModel.stack(kind)
        let suit = stack.context.insert("Suit", ["title": "a"])
        for card in stack.context.cards("A", "B") { card.setValue(suit, forKey: "suit") }
        stack.context.cards("C")
        try stack.context.save()
        let controller = stack.context.controller(CardModel.request("suit.title", "name"), sections: "suit.title")
        let mirror = ListMirror()
        try controller.performFetch()
        mirror.adopt(controller)
        controller.delegate = mirror
        suit.setValue("z", forKey: "title")
        stack.context.processPendingChanges()
        #expect(
            mirror.log == [
                "will", "section delete 1 a", "section insert 1 z", "move 1.0 1.0", "move 1.1 1.1", "did",
            ])
        #expect(mirror.differences(from: controller) == [])
        #expect(controller.table() == [": C", "z: A B"])
    }

    @Test(
        "what another context saved is sent to the delegate, for known and unknown objects (FRC-15)",
        arguments: StoreKind.all)
    func followsMerges(_ kind: StoreKind) throws {
        let list = try Fixture(kind, ["A", "B", "C"])
        list.context.reset()
        try list.controller.performFetch()
        let mirror = ListMirror()
        mirror.adopt(list.controller)
        list.controller.delegate = mirror
        let board = list.stack.newContext()
        let others = try board.all("Card", sortedBy: "number")
        others[0].setValue("D", forKey: "name")
        board.delete(others[1])
        board.cards("E")
        try board.save()
        let changes: [AnyHashable: Any] = [
            NSUpdatedObjectsKey: [others[0].objectID], NSDeletedObjectsKey: [others[1].objectID],
            NSInsertedObjectsKey: try board.all("Card", NSPredicate(format: "name == 'E'")).map(\.objectID),
        ]
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [list.context])
        #expect(mirror.changes == 1)
        #expect(mirror.differences(from: list.controller) == [])
        #expect(list.controller.table() == ["C: C", "D: D", "E: E"])
    }

    @Test("without a delegate a list stays, and a later delegate gets all changes (FRC-16)", arguments: StoreKind.all)
    func staysWithoutDelegate(_ kind: StoreKind) throws {
        let list = try Fixture(kind, ["A"])
        list.controller.delegate = nil
        list.context.cards("B")
        list.context.processPendingChanges()
        #expect(list.controller.table() == ["A: A"])
        list.controller.delegate = list.mirror
        #expect(
            try list.log { list.context.cards("C") } == [
                "will", "section insert 1 B", "section insert 2 C", "insert - 1.0", "insert - 2.0", "did",
            ])
    }

    @Test("a delegate may have one method only, and drop the controller in it (FRC-16)", arguments: StoreKind.all)
    func dropsController(_ kind: StoreKind) throws {
        let list = try Fixture(kind, ["A"])
        let counter = Counter()
        counter.controller = list.stack.context.controller(CardModel.request("name"), sections: "name")
        counter.controller?.delegate = counter
        try counter.controller?.performFetch()
        weak let controller = counter.controller
        for _ in 0..<3 {
            list.context.cards("X", "Y")
            list.context.processPendingChanges()
        }
        #expect(counter.count == 3)
        counter.dropsController = true
        list.context.cards("Z")
        list.context.processPendingChanges()
        #expect(counter.count == 4)
        #expect(controller == nil)
        list.context.cards("Z")
        list.context.processPendingChanges()
        #expect(counter.count == 4)
    }

    private final class Counter: NSFetchedResultsControllerDelegate {
        var controller: NSFetchedResultsController<NSManagedObject>?
        var dropsController = false
        private(set) var count = 0

        func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
            count += 1
            if dropsController { self.controller = nil }
        }
    }

    @Test("streams give a list and its changes, which the adapter applies (FRC-17)", arguments: StoreKind.all)
    func streamsGiveListAndItsChanges(_ kind: StoreKind) async throws {
        let list = try Fixture(kind, ["A", "B"])
        var controller: NSFetchedResultsController? = list.context.controller(
            CardModel.request("name", "number"), sections: "name")
        try controller?.performFetch()
        let changes = try #require(controller?.changes)
        let snapshots = try #require(controller?.snapshots)
        var first = snapshots.makeAsyncIterator()
        var shown = FetchedResultsList(try #require(await first.next()))
        #expect(shown.sections.map(\.name) == ["A", "B"])
        list.cards[0].setValue("C", forKey: "name")
        list.context.processPendingChanges()
        list.context.cards("A")
        try list.context.save()
        let latest = try #require(await first.next())
        #expect(latest.sectionIdentifiers == ["A", "B", "C"])
        #expect(latest.numberOfSections == 3)
        #expect(latest.itemIdentifier(at: IndexPath(item: 0, section: 2)) == list.cards[0].objectID)
        #expect(latest.itemIdentifier(at: IndexPath(item: 1, section: 2)) == nil)
        #expect(latest.itemIdentifier(at: IndexPath(item: 0, section: 3)) == nil)
        controller = nil
        for await change in changes { shown.apply(change) }
        #expect(shown.sections.map(\.name) == ["A", "B", "C"])
        let expected = try list.context.all("Card", sortedBy: "name").map(\.objectID)
        #expect(shown.sections.flatMap(\.items) == expected)
        #expect(expected.allSatisfy { !$0.isTemporaryID })
        #expect(await first.next() == nil)
    }

    @Test("two lists of one context each get their own changes (FRC-21)", arguments: StoreKind.all)
    func feedsTwoLists(_ kind: StoreKind) throws {
        let list = try Fixture(kind, ["Ann", "Ben", "Anton"])
        let search = list.context.controller(CardModel.request("name", predicate: "name BEGINSWITH 'An'"))
        let results = ListMirror()
        try search.performFetch()
        results.adopt(search)
        search.delegate = results
        #expect(
            try list.log { list.context.delete(list.cards[0]) } == [
                "will", "section delete 0 Ann", "delete 0.0 -", "did",
            ])
        #expect(results.log == ["will", "delete 0.0 -", "did"])
        #expect(search.table() == [": Anton"])
        _ = try list.log { list.cards[1].setValue("Bert", forKey: "name") }
        #expect(results.changes == 1)
        search.delegate = nil
        #expect(list.controller.table() == ["Anton: Anton", "Bert: Bert"])
    }
}
