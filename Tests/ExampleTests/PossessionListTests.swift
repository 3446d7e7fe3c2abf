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

    private func archive(_ possessions: [ArchivedPossession]) throws -> URL {
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        archiver.outputFormat = .binary
        archiver.setClassName("Possession", for: ArchivedPossession.self)
        archiver.encode(NSMutableArray(array: possessions), forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        let file = folder.url.appendingPathComponent("possessions.archive")
        try archiver.encodedData.write(to: file)
        return file
    }

    @Test("possessions that were archived are taken over with their pictures, all or none (SAMPLE-13)")
    func archivesAreTakenOver() throws {
        let picture = Data([0x89, 0x50, 0x4E, 0x47]) + Data(repeating: 3, count: 150_000)
        let file = try archive([ArchivedPossession("Desk", 120, picture), ArchivedPossession("Radio", "45")])
        #expect(try stuff.importPossessions(from: file) == 2)
        let again = try PossessionStore(at: url)
        let read = try again.possessions()
        try #require(read.map(\.name) == ["iPhone 4S", "iPad 2", "Lamp", "Desk", "Radio"])
        #expect(read[3].value == 120 && read[3].image == picture && read[4].value == 45 && read[4].image == nil)

        let wrong = try archive([ArchivedPossession("Chair", 30), ArchivedPossession("Clock", "much")])
        #expect(throws: PossessionError.noPossessions("possessions.archive")) {
            try stuff.importPossessions(from: wrong)
        }
        #expect(try stuff.possessions().count == 5)
    }
}

/// A possession as the version of the books that archived them had it.
final class ArchivedPossession: NSObject, NSCoding {
    private let name: String
    private let value: Any
    private let image: Data?

    init(_ name: String, _ value: Any, _ image: Data? = nil) {
        (self.name, self.value, self.image) = (name, value, image)
    }

    required init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        coder.encode(name as NSString, forKey: "name")
        if let number = value as? Int {
            coder.encode(NSNumber(value: number), forKey: "value")
        } else {
            coder.encode(value as? NSString, forKey: "value")
        }
        coder.encode(image as NSData?, forKey: "image")
    }
}
