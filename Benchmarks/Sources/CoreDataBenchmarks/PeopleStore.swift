import CoreData

/// A store of people, which the library makes and fills.
struct PeopleStore {
    let count: Int
    private let container: NSPersistentContainer

    init(count: Int, at url: URL) throws {
        self.count = count
        container = try Workbench.open(url, Self.model())
        try fill()
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

    /// A context of its own with so many people that were never saved.
    func unsaved(_ count: Int) -> (context: NSManagedObjectContext, people: [Person]) {
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

    static func model() -> NSManagedObjectModel {
        Workbench.model(
            "Person",
            [
                ("age", .integer32AttributeType), ("height", .doubleAttributeType), ("name", .stringAttributeType),
                ("rank", .integer64AttributeType),
            ])
    }
}
