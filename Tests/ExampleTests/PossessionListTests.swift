import CoreData
import MyStuffSample
import TestBasics
import Testing

/// The list of possessions as a page shows it: which rows each step concerns, and what a form that is left changes.
@MainActor @Suite struct PossessionListTests {
    private let folder: TemporaryFolder
    private let url: URL
    private let stuff: PossessionStore

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("MyStuff.sqlite")
        stuff = try PossessionStore(at: url)
        for (name, value) in [("iPhone 4S", "649"), ("iPad 2", "499"), ("Lamp", "20")] {
            try stuff.add(name, value: value)
        }
    }

    private func list(_ log: ListLog) throws -> NSFetchedResultsController<Possession> {
        let request: NSFetchRequest<Possession> = Possession.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "orderIndex", ascending: true)]
        let list = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: stuff.context, sectionNameKeyPath: nil, cacheName: nil)
        list.delegate = log
        try list.performFetch()
        return list
    }

    @Test("each step concerns the one row that it changes (SAMPLE-13)")
    func stepsConcernOneRow() throws {
        let log = ListLog()
        let list = try list(log)
        let phone = try #require(list.fetchedObjects?.first)
        try stuff.setValue("599", of: phone)
        #expect(log.take() == ["will", "update 0.0", "did"])
        try stuff.move(from: 2, to: 0)
        #expect(log.take() == ["will", "move 0.2 0.0", "did"])
        #expect(list.fetchedObjects?.map(\.name) == ["Lamp", "iPhone 4S", "iPad 2"])
        try stuff.delete(phone)
        #expect(log.take() == ["will", "delete 0.1", "did"])
        #expect(try stuff.undo())
        #expect(log.take() == ["will", "insert 0.1", "did"])
        try stuff.add("Desk", value: nil)
        #expect(log.take() == ["will", "insert 0.3", "did"])
        let again = try PossessionStore(at: url)
        #expect(try again.possessions().map(\.name) == ["Lamp", "iPhone 4S", "iPad 2", "Desk"])
    }

    @Test("a form that is left changes nothing, also when a picture was chosen in it (SAMPLE-13)")
    func leftFormsChangeNothing() throws {
        let phone = try #require(try stuff.possessions().first)
        // The form of a page edits in a context of its own, which is dropped with it.
        do {
            let form = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
            form.parent = stuff.context
            let edited = try #require(try form.existingObject(with: phone.objectID) as? Possession)
            edited.name = "Telephone"
            edited.image = Data(repeating: 1, count: 200_000)
            Possession(context: form).name = "Desk"
            #expect(form.hasChanges && edited.image?.count == 200_000)
        }
        #expect(phone.name == "iPhone 4S" && phone.image == nil && !stuff.context.hasChanges)
        #expect(try stuff.possessions().count == 3)
        let again = try PossessionStore(at: url)
        let read = try again.possessions()
        #expect(read.map(\.name) == ["iPhone 4S", "iPad 2", "Lamp"] && read.allSatisfy { $0.image == nil })
    }
}
