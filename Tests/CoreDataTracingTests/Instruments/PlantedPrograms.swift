import CoreData
import CoreDataTracing
import StoreContract

/// Programs with a fault each.
enum PlantedPrograms {
    private typealias Expectation = RecordedProgram.Expectation

    static let all = repeatedFaults + fullScans + others

    private static func prefetch(_ entity: String, _ keys: String...) -> [Expectation] {
        keys.map { Expectation(kind: .repeatedFaults, entity: entity, key: $0) }
    }

    private static func index(_ keys: String) -> [Expectation] {
        [Expectation(kind: .fullScan, entity: "Book", key: keys)]
    }

    private static func books(_ stack: Stack, _ count: Int = 50) throws -> [NSManagedObject] {
        try stack.context.found("Book") {
            $0.fetchLimit = count
            $0.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
        }
    }

    private static let repeatedFaults = [
        RecordedProgram("a list of books with their authors", prefetch("Book", "author")) { stack in
            for book in try books(stack) { _ = book.target("author")?.value(forKey: "name") }
        },
        RecordedProgram("a list of books with their publishers", prefetch("Book", "publisher")) { stack in
            for book in try books(stack) { _ = book.target("publisher")?.value(forKey: "name") }
        },
        RecordedProgram("the books of each author", prefetch("Author", "books")) { stack in
            for author in try stack.context.found("Author") { _ = author.members("books").count }
        },
        RecordedProgram("the reviews of each book", prefetch("Book", "reviews")) { stack in
            for book in try books(stack) { _ = book.members("reviews").count }
        },
        RecordedProgram("the tags of each book", prefetch("Book", "tags")) { stack in
            for book in try books(stack) { _ = book.members("tags").count }
        },
        RecordedProgram("authors by way of reviews", prefetch("Review", "book", "book.author")) { stack in
            for review in try stack.context.found("Review") {
                let book = review.target("book")
                _ = book?.value(forKey: "title")
                _ = book?.target("author")?.value(forKey: "name")
            }
        },
        RecordedProgram("countries by a key path", prefetch("Book", "author")) { stack in
            _ = try books(stack).map { $0.value(forKeyPath: "author.country") as? String }
        },
        RecordedProgram("books of authors on a queue", prefetch("Author", "books")) { stack in
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = stack.coordinator
            try context.performAndWait {
                for author in try context.found("Author") { _ = author.members("books").isEmpty }
            }
        },
        RecordedProgram("reviews by way of books", prefetch("Publisher", "books", "books.reviews")) { stack in
            for publisher in try stack.context.found("Publisher") {
                for book in publisher.members("books").prefix(5) { _ = book.members("reviews").count }
            }
        },
        RecordedProgram("authors of what a search found", prefetch("Book", "author")) { stack in
            let found = try stack.context.found("Book") { $0.predicate = NSPredicate(format: "title CONTAINS '9'") }
            for book in found { _ = book.target("author")?.value(forKey: "name") }
        },
    ]

    private static let fullScans = [
        RecordedProgram("a book by its number", index("isbn")) { stack in
            for number in 0..<5 {
                _ = try stack.context.found("Book") {
                    $0.predicate = NSPredicate(format: "isbn == %@", "isbn-\(number)")
                }
            }
        },
        RecordedProgram("books of two years", index("year")) { stack in
            _ = try stack.context.found("Book") { $0.predicate = NSPredicate(format: "year >= 1990 AND year < 1992") }
        },
        RecordedProgram("titles by their beginning", index("title")) { stack in
            _ = try stack.context.found("Book") { $0.predicate = NSPredicate(format: "title BEGINSWITH 'Title 29'") }
        },
        RecordedProgram("the ten newest books", index("year")) { stack in
            _ = try stack.context.found("Book") {
                $0.sortDescriptors = [NSSortDescriptor(key: "year", ascending: false)]
                $0.fetchLimit = 10
            }
        },
        RecordedProgram("whether there is a number", index("isbn")) { stack in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: "isbn == 'isbn-7'")
            _ = try stack.context.count(for: request)
        },
        RecordedProgram("prices in a range", index("price")) { stack in
            _ = try stack.context.found("Book") { $0.predicate = NSPredicate(format: "price BETWEEN {10, 20}") }
        },
        RecordedProgram("several numbers", index("isbn")) { stack in
            _ = try stack.context.found("Book") {
                $0.predicate = NSPredicate(format: "isbn IN %@", ["isbn-1", "isbn-2", "isbn-3"])
            }
        },
    ]

    private static let others = [
        RecordedProgram(
            "titles set to what they are", [Expectation(kind: .unchangedSaves, entity: "Book", key: nil)]
        ) { stack in
            for book in try books(stack) { book.setValue(book.value(forKey: "title"), forKey: "title") }
            try stack.context.save()
        },
        RecordedProgram(
            "a sync that writes all it gets", [Expectation(kind: .unchangedSaves, entity: "Book", key: nil)]
        ) { stack in
            for (number, book) in try books(stack, 100).enumerated() {
                let values: [String: Any] = [
                    "title": "Title \(number)", "price": Double(number), "isbn": "isbn-\(number)",
                    "year": number < 5 ? 1 : 1_900 + number % 120,
                ]
                for (key, value) in values { book.setValue(value, forKey: key) }
            }
            try stack.context.save()
        },
        RecordedProgram(
            "an import into one context", [Expectation(kind: .crowdedContext, entity: "", key: nil)]
        ) { stack in
            for number in 0..<10_200 { stack.context.insert("Tag", ["name": "New \(number)"]) }
            try stack.context.save()
        },
    ]
}
