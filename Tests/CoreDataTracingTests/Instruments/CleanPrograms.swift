import CoreData
import StoreContract

/// Programs in which nothing is to be found.
enum CleanPrograms {
    static let all = reading + asking + writing

    private static var byCode: NSSortDescriptor { NSSortDescriptor(key: "code", ascending: true) }

    private static func books(
        _ stack: Stack, prefetching paths: [String] = [], _ count: Int = 50
    ) throws -> [NSManagedObject] {
        try stack.context.found("Book") {
            $0.fetchLimit = count
            $0.sortDescriptors = [byCode]
            $0.relationshipKeyPathsForPrefetching = paths
        }
    }

    private static let reading = [
        RecordedProgram("books with prefetched authors") { stack in
            for book in try books(stack, prefetching: ["author"]) { _ = book.target("author")?.value(forKey: "name") }
        },
        RecordedProgram("authors with prefetched books") { stack in
            let authors = try stack.context.found("Author") { $0.relationshipKeyPathsForPrefetching = ["books"] }
            for author in authors { _ = author.members("books").count }
        },
        RecordedProgram("reviews with books and authors prefetched") { stack in
            let reviews = try stack.context.found("Review") {
                $0.relationshipKeyPathsForPrefetching = ["book", "book.author"]
            }
            for review in reviews { _ = review.value(forKeyPath: "book.author.name") }
        },
        RecordedProgram("books with prefetched tags") { stack in
            for book in try books(stack, prefetching: ["tags"]) {
                for tag in book.members("tags") { _ = tag.value(forKey: "name") }
            }
        },
        RecordedProgram("one book with all about it") { stack in
            let book = try books(stack).first
            _ = book?.target("author")?.value(forKey: "name")
            _ = book?.target("publisher")?.value(forKey: "name")
            for review in book?.members("reviews") ?? [] { _ = review.value(forKey: "stars") }
        },
        RecordedProgram("all titles") { stack in
            let found = try stack.context.found("Book") {
                $0.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            }
            for book in found { _ = book.value(forKey: "title") }
        },
        RecordedProgram("all titles in batches") { stack in
            let found = try stack.context.found("Book") {
                $0.sortDescriptors = [byCode]
                $0.fetchBatchSize = 50
            }
            for book in found { _ = book.value(forKey: "title") }
        },
        RecordedProgram("the members of one author with their values") { stack in
            let author = try stack.context.found("Author") { $0.fetchLimit = 1 }.first
            for book in author?.members("books") ?? [] { _ = book.value(forKey: "title") }
        },
    ]

    private static let asking = [
        RecordedProgram("a book by its indexed code") { stack in
            for number in 0..<20 {
                _ = try stack.context.found("Book") { $0.predicate = NSPredicate(format: "code == %ld", number) }
            }
        },
        RecordedProgram("the books of an author by a predicate") { stack in
            let author = try stack.context.found("Author") { $0.fetchLimit = 1 }.first
            _ = try stack.context.found("Book") {
                $0.predicate = NSPredicate(format: "author == %@", author ?? NSNull())
            }
        },
        RecordedProgram("the number of all books") { stack in
            _ = try stack.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
        },
        RecordedProgram("the first ten by an index") { stack in _ = try books(stack, 10) },
        RecordedProgram("a word in a part of the books") { stack in
            _ = try stack.context.found("Book") { $0.predicate = NSPredicate(format: "title CONTAINS '2'") }
        },
        RecordedProgram("an author in a small table") { stack in
            _ = try stack.context.found("Author") { $0.predicate = NSPredicate(format: "name == 'Author 7'") }
        },
        RecordedProgram("either of two codes") { stack in
            _ = try stack.context.found("Book") { $0.predicate = NSPredicate(format: "code == 5 OR code == 7") }
        },
        RecordedProgram("values as dictionaries") { stack in
            let request = NSFetchRequest<NSDictionary>(entityName: "Book")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["title"]
            _ = try stack.context.fetch(request)
        },
    ]

    private static let writing = [
        RecordedProgram("new objects") { stack in
            for number in 0..<200 { stack.context.insert("Tag", ["name": "New \(number)"]) }
            try stack.context.save()
        },
        RecordedProgram("other values") { stack in
            for book in try books(stack) { book.setValue("Another title", forKey: "title") }
            try stack.context.save()
        },
        RecordedProgram("a form that writes all its fields") { stack in
            let book = try books(stack).first
            for key in ["title", "year", "isbn"] { book?.setValue(book?.value(forKey: key), forKey: key) }
            book?.setValue(1.5, forKey: "price")
            try stack.context.save()
        },
        RecordedProgram("deletions, a child and a context that merges") { stack in
            let other = stack.newContext()
            other.automaticallyMergesChangesFromParent = true
            for review in try stack.context.found("Review", { $0.fetchLimit = 20 }) { stack.context.delete(review) }
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = stack.context
            try child.performAndWait {
                child.insert("Tag", ["name": "Of a child"])
                try child.save()
            }
            try stack.context.save()
            other.performAndWait {}
        },
        RecordedProgram("an import that resets its context") { stack in
            for number in 0..<10_400 {
                stack.context.insert("Tag", ["name": "New \(number)"])
                guard number % 1_000 == 999 else { continue }
                try stack.context.save()
                stack.context.reset()
            }
            try stack.context.save()
        },
    ]
}
