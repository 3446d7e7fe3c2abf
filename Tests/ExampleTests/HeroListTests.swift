import CoreData
import TestBasics
import Testing

@testable import SuperDBSample

/// SuperDB's list with its sections, as the books' table view hears of changes.
@Suite struct HeroListTests {
    private let folder: TemporaryFolder
    private let context: NSManagedObjectContext
    private let container: NSPersistentContainer

    init() throws {
        UIColorRGBValueTransformer.register()
        ObjectClassResolver.register(Hero.self, named: "Hero")
        folder = try TemporaryFolder()
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let file = root.appendingPathComponent("Examples/SuperDB/Sources/Model/SuperDB.xcdatamodeld")
        container = NSPersistentContainer(
            name: "SuperDB", managedObjectModel: try NSManagedObjectModel(reading: file))
        container.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: folder.url.appendingPathComponent("SuperDB.sqlite"))
        ]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        context = container.viewContext
    }

    private func list(_ log: ListLog, by key: String = "name", _ other: String = "secretIdentity") throws
        -> NSFetchedResultsController<Hero>
    {
        let request = NSFetchRequest<Hero>(entityName: "Hero")
        request.sortDescriptors = [key, other].map { NSSortDescriptor(key: $0, ascending: true) }
        request.fetchBatchSize = 20
        let list = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: key, cacheName: nil)
        list.delegate = log
        try list.performFetch()
        return list
    }

    @Test(
        "a first hero brings its section, a second of the same name none; the last one takes it along (SAMPLE-02, FRC-10)"
    )
    @MainActor func sectionsComeAndGo() throws {
        let log = ListLog()
        let list = try list(log)
        #expect(list.sections?.count == 0)
        let first = Hero(context: context)
        try context.save()
        #expect(log.take() == ["will", "section insert 0", "insert 0.0", "did"])
        #expect(first.name == "Untitled Hero" && first.secretIdentity == "Unknown")
        let second = Hero(context: context)
        try context.save()
        let heard = log.take()
        #expect(heard == ["will", "insert 0.0", "did"] || heard == ["will", "insert 0.1", "did"])
        #expect(list.sections?.map(\.numberOfObjects) == [2])
        second.name = "Zeta"
        try context.save()
        let moved = log.take()
        #expect(
            moved.count == 4 && moved[1] == "section insert 1" && moved[2].hasSuffix(" 1.0")
                && moved[2].hasPrefix("move 0."))
        context.delete(first)
        try context.save()
        #expect(log.take() == ["will", "section delete 0", "delete 0.0", "did"])
        context.delete(second)
        try context.save()
        #expect(log.take() == ["will", "section delete 0", "delete 0.0", "did"])
        #expect(list.sections?.isEmpty == true && list.fetchedObjects?.isEmpty == true)
    }

    @Test("without a name a hero is refused with 1570, and the program goes on (SAMPLE-02, VAL-01)")
    @MainActor func missingNameIsRefused() throws {
        let hero = Hero(context: context)
        hero.setValue(nil, forKey: "name")
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.code == NSValidationMissingMandatoryPropertyError)
        #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "name")
        #expect(hero.hasChanges && hero.objectID.isTemporaryID)
        hero.name = "Alpha"
        try context.save()
        #expect(try context.count(for: NSFetchRequest<Hero>(entityName: "Hero")) == 1)
    }

    @Test("a birth date in the future is refused with 1000 and stays in the object alone; none is taken (SAMPLE-04)")
    @MainActor func futureBirthDateIsRefused() throws {
        let hero = Hero(context: context)
        hero.name = "Alpha"
        try context.save()
        let future = Date().addingTimeInterval(10 * 86_400)
        hero.birthDate = future
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.domain == Hero.ruleDomain && error?.code == 1000)
        #expect(error?.localizedDescription.contains("Birthdate cannot be in the future") == true)
        #expect(hero.birthDate == future && hero.hasChanges)
        let other = container.newBackgroundContext()
        let stored = try other.performAndWait {
            try other.fetch(NSFetchRequest<Hero>(entityName: "Hero")).first?.birthDate
        }
        #expect(stored == nil)
        hero.birthDate = nil
        try context.save()
        #expect(!context.hasChanges)
    }
}
