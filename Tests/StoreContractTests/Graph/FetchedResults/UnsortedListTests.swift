import CoreData
import StoreContract
import Testing

/// Requests whose sort descriptors are an empty array, as in `@FetchRequest(sortDescriptors: [])`.
@Suite struct UnsortedListTests {
    private static func request(_ predicate: String? = nil) -> NSFetchRequest<NSManagedObject> {
        CardModel.request(predicate: predicate)
    }

    @Test("a list without order is in that of the saves, and followed (FRC-01, FRC-11)", arguments: StoreKind.all)
    func listWithoutOrderIsInThatOfSaves(_ kind: StoreKind) throws {
        let stack = try CardModel.stack(kind)
        stack.context.cards("C", "A", "B")
        try stack.context.save()
        stack.context.reset()
        let (controller, mirror) = (stack.context.controller(Self.request()), ListMirror())
        try controller.performFetch()
        #expect(controller.table() == [": C A B"])
        mirror.adopt(controller)
        controller.delegate = mirror
        stack.context.cards("0", "D")
        stack.context.processPendingChanges()
        #expect(controller.table() == [": C A B 0 D"] && mirror.differences(from: controller) == [])
        try stack.context.save()
        #expect(controller.table() == [": C A B 0 D"] && mirror.differences(from: controller) == [])
        let objects = try #require(controller.fetchedObjects)
        objects[1].setValue("Z", forKey: "name")
        stack.context.delete(objects[2])
        let other = stack.newContext()
        other.cards("E")
        let board = NoticeBoard(.NSManagedObjectContextDidSave, of: other)
        try other.save()
        stack.context.mergeChanges(fromContextDidSave: try #require(board.all.first))
        #expect(controller.table() == [": C Z 0 D E"] && mirror.differences(from: controller) == [])
        try stack.context.save()
        try controller.performFetch()
        #expect(controller.table() == [": C Z 0 D E"])
    }

    @Test(
        "equal objects are in the order of the saves, changed before the fetch or not (FRC-01)",
        arguments: StoreKind.all
    )
    func equalObjectsAreInOrderOfSaves(_ kind: StoreKind) throws {
        let stack = try CardModel.stack(kind)
        let cards = stack.context.cards("A", "A", "A", "A")
        try stack.context.save()
        cards[1].setValue("B", forKey: "name")
        cards[1].setValue("A", forKey: "name")
        for request in [Self.request(), CardModel.request("name")] {
            let controller = stack.context.controller(request)
            try controller.performFetch()
            #expect(controller.fetchedObjects == cards)
        }
    }

    @Test("a request without an array of sort descriptors is refused (FRC-01)", arguments: StoreKind.all)
    func noDescriptors(_ kind: StoreKind) throws {
        let stack = try CardModel.stack(kind)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Card")
        let error = #expect(throws: NSError.self) { try stack.context.controller(request).performFetch() }
        #expect(error?.code == NSCoreDataError && error?.localizedDescription.contains("sort descriptors") == true)
    }

    @Test("Every kind of fetch takes an empty array", arguments: StoreKind.all)
    func everyKindOfFetchTakesEmptyArray(_ kind: StoreKind) throws {
        let stack = try CardModel.stack(kind)
        stack.context.cards("A", "B", "C")
        try stack.context.save()
        stack.context.cards("D")
        let request = Self.request()
        #expect(try stack.context.fetch(request).count == 4 && stack.context.count(for: request) == 4)
        request.fetchBatchSize = 2
        #expect(try stack.context.fetch(request).count == 4)
        request.fetchLimit = 2
        request.fetchOffset = 1
        #expect(try stack.context.fetch(request).count == 2)
        let values = NSFetchRequest<NSDictionary>(entityName: "Card")
        (values.resultType, values.sortDescriptors, values.propertiesToFetch) = (.dictionaryResultType, [], ["name"])
        #expect(Set(try stack.context.fetch(values).compactMap { $0["name"] as? String }) == ["A", "B", "C"])
    }
}
