import CoreData
import StoreContract
import TestBasics
import Testing

/// Lists of contexts that do not read from one store alone.
struct FetchedResultsContextTests {
    @Test("a list of a child follows the child, its saves and its parent (FRC-15)", arguments: StoreKind.all)
    func followsChild(_ kind: StoreKind) throws {
        let stack = try CardModel.stack(kind)
        stack.context.cards("A", "B", "B")
        try stack.context.save()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = stack.context
        child.automaticallyMergesChangesFromParent = true
        let mirror = ListMirror()
        let controller = child.controller(CardModel.request("name", "number"), sections: "name")
        try child.performAndWait {
            try controller.performFetch()
            mirror.adopt(controller)
            controller.delegate = mirror
            child.cards("C")
            child.processPendingChanges()
            #expect(controller.table() == ["A: A", "B: B B", "C: C"])
            controller.fetchedObjects?[0].setValue("D", forKey: "name")
            try child.save()
            #expect(controller.table() == ["B: B B", "C: C", "D: D"])
            #expect(mirror.differences(from: controller) == [])
        }
        try stack.context.performAndWait {
            try stack.context.save()
            stack.context.cards("E")
            for card in try stack.context.all("Card", sortedBy: "name")
            where card.value(forKey: "name") as? String == "C" {
                stack.context.delete(card)
            }
            try stack.context.save()
        }
        try child.performAndWait {
            #expect(controller.table() == ["B: B B", "D: D", "E: E"])
            #expect(mirror.differences(from: controller) == [])
            let fetched = try child.fetch(CardModel.request("name", "number")).map(\.objectID)
            #expect(controller.fetchedObjects?.map(\.objectID) == fetched)
        }
    }

    @Test("a list over two stores is one list, whichever of them changes (FRC-11)", arguments: StoreKind.all)
    func followsTwoStores(_ kind: StoreKind) throws {
        let stack = try CardModel.stack(kind)
        let folder = try TemporaryFolder()
        let second = try stack.coordinator.addPersistentStore(
            ofType: kind.type, configurationName: nil, at: folder.url.appendingPathComponent("Second.sqlite"))
        let cards = stack.context.cards("A", "C", "E") + stack.context.cards("B", "C", "D")
        for (number, card) in cards.enumerated() {
            stack.context.assign(card, to: number < 3 ? stack.store : second)
        }
        try stack.context.save()
        let (controller, mirror) = (
            stack.context.controller(CardModel.request("name", "number"), sections: "name"), ListMirror()
        )
        try controller.performFetch()
        mirror.adopt(controller)
        controller.delegate = mirror
        #expect(controller.table() == ["A: A", "B: B", "C: C C", "D: D", "E: E"])
        cards[0].setValue("F", forKey: "name")
        cards[3].setValue("D", forKey: "name")
        stack.context.delete(cards[4])
        try stack.context.save()
        #expect(controller.table() == ["C: C", "D: D D", "E: E", "F: F"])
        #expect(mirror.differences(from: controller) == [])
        let other = stack.newContext()
        for card in try other.fetch(CardModel.request("name", "number")) where card.value(forKey: "number") as? Int == 2
        {
            card.setValue("B", forKey: "name")
        }
        let board = NoticeBoard(.NSManagedObjectContextDidSave, of: other)
        try other.save()
        stack.context.mergeChanges(fromContextDidSave: try #require(board.all.first))
        #expect(controller.table() == ["B: B B", "C: C", "D: D", "F: F"])
        #expect(mirror.differences(from: controller) == [])
    }
}
