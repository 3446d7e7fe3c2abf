import CoreData
import StoreContract
import Testing

/// What a delegate is told of sections that are gone, and of a context that is reset.
@Suite struct FetchedResultsResetTests {
    /// Keeps what section infos have when they come.
    private final class SectionKeeper: NSFetchedResultsControllerDelegate {
        var lines: [String] = []

        func controller(
            _ controller: NSFetchedResultsController<NSFetchRequestResult>,
            didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
            for type: NSFetchedResultsChangeType
        ) {
            let titles = "\(sectionInfo.name) \(sectionInfo.indexTitle ?? "-")"
            lines.append("\(type) \(titles) \(sectionInfo.numberOfObjects) \(sectionInfo.objects?.count ?? -1)")
        }
    }

    @Test("the info of a deleted section has a name and no objects (FRC-12)", arguments: StoreKind.all)
    func deletedSection(_ kind: StoreKind) throws {
        let stack = try CardModel.stack(kind)
        let cards = stack.context.cards("A", "B", "B")
        try stack.context.save()
        let controller = stack.context.controller(CardModel.request("name"), sections: "name")
        let keeper = SectionKeeper()
        controller.delegate = keeper
        try controller.performFetch()
        stack.context.delete(cards[0])
        for card in cards[1...] { card.setValue("C", forKey: "name") }
        stack.context.processPendingChanges()
        #expect(keeper.lines == ["delete B B 0 0", "delete A A 0 0", "insert C C 2 2"])
    }

    @Test(
        "a reset is not sent to the delegate, and the next fetch has the list again (FRC-15)", arguments: StoreKind.all)
    func resetIsNotSentToDelegate(_ kind: StoreKind) throws {
        let stack = try CardModel.stack(kind)
        stack.context.cards("A", "B")
        try stack.context.save()
        let (controller, mirror) = (stack.context.controller(CardModel.request("name"), sections: "name"), ListMirror())
        try controller.performFetch()
        mirror.adopt(controller)
        controller.delegate = mirror
        stack.context.cards("C")
        stack.context.processPendingChanges()
        #expect(mirror.changes == 1 && controller.table() == ["A: A", "B: B", "C: C"])
        stack.context.reset()
        stack.context.processPendingChanges()
        #expect(mirror.changes == 1 && controller.sections?.map(\.name) == ["A", "B", "C"])
        #expect(controller.fetchedObjects?.prefix(2).map { $0.value(forKey: "name") as? String } == ["A", "B"])
        try controller.performFetch()
        #expect(mirror.changes == 1 && controller.table() == ["A: A", "B: B"])
    }

    @Test(
        "after a reset without a fetch the next change is sent with all differences (FRC-15)", arguments: StoreKind.all)
    func changeAfterReset(_ kind: StoreKind) throws {
        let stack = try CardModel.stack(kind)
        stack.context.cards("A", "B")
        try stack.context.save()
        let (controller, mirror) = (stack.context.controller(CardModel.request("name"), sections: "name"), ListMirror())
        try controller.performFetch()
        controller.delegate = mirror
        stack.context.cards("C")
        stack.context.processPendingChanges()
        stack.context.reset()
        stack.context.cards("D")
        stack.context.processPendingChanges()
        #expect(controller.table() == ["A: A", "B: B", "D: D"] && mirror.changes == 2)
        let lines = ["section delete 2 C", "section insert 2 D", "delete 2.0 -", "insert - 2.0"]
        #expect(mirror.log.filter { !$0.hasPrefix("update") } == ["will"] + lines + ["did"])
    }
}
