import CoreData

/// A store of people, which the library makes and fills in a temporary folder.
struct PeopleStore {
    let count: Int
    private let folder: URL
    private let container: NSPersistentContainer

    init(count: Int) throws {
        self.count = count
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("people-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        container = NSPersistentContainer(name: "People", managedObjectModel: Self.model())
        container.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: folder.appendingPathComponent("People.sqlite"))
        ]
        var failure: Error?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        try fill()
    }

    func remove() {
        try? ItemStore.close(container)
        try? FileManager.default.removeItem(at: folder)
    }

    /// A context of its own with all people in it, their values in the rows that were read.
    func fetched() throws -> (context: NSManagedObjectContext, people: [Person]) {
        let context = container.newBackgroundContext()
        let people = try context.performAndWait {
            let request = NSFetchRequest<Person>(entityName: "Person")
            request.returnsObjectsAsFaults = false
            return try context.fetch(request)
        }
        guard people.count == count else { throw Failure("the fetch returned \(people.count) people") }
        return (context, people)
    }

    /// A context of its own with as many people that were never saved.
    func unsaved() -> (context: NSManagedObjectContext, people: [Person]) {
        let context = container.newBackgroundContext()
        let people = context.performAndWait {
            (0..<count).map { number in
                let person = Person(context: context)
                person.fill(number)
                return person
            }
        }
        return (context, people)
    }

    private func fill() throws {
        for start in stride(from: 0, to: count, by: 20_000) {
            let context = container.newBackgroundContext()
            try context.performAndWait {
                for number in start..<min(count, start + 20_000) { Person(context: context).fill(number) }
                try context.save()
            }
        }
    }

    private static func model() -> NSManagedObjectModel {
        let types: [(String, NSAttributeType)] = [
            ("age", .integer32AttributeType), ("height", .doubleAttributeType), ("name", .stringAttributeType),
            ("rank", .integer64AttributeType),
        ]
        let entity = NSEntityDescription()
        entity.name = "Person"
        entity.managedObjectClassName = "Benchmarks.Person"
        entity.properties = types.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }
}
