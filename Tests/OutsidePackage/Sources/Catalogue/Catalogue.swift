import CoreData
import Foundation

/// What a reader is told about a book.
public struct BookSummary: Sendable, Codable, Equatable {
    public var title: String
    public var author: String
    public var pages: Int
}

/// The books of a shop, kept in one store: each call has a context of its own.
public struct Catalogue: Sendable {
    private let container: NSPersistentContainer

    /// Opens the store at a URL, or makes it.
    public init(at url: URL) throws {
        guard let file = Bundle.module.url(forResource: "Catalogue", withExtension: "momd"),
            let model = NSManagedObjectModel(contentsOf: file)
        else { throw CocoaError(.fileReadNoSuchFile) }
        container = NSPersistentContainer(name: "Catalogue", managedObjectModel: model)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    /// Saves a book, with its author where he is new.
    public func add(_ book: BookSummary) async throws {
        let context = container.newBackgroundContext()
        try await context.perform {
            let request = NSFetchRequest<Author>(entityName: "Author")
            request.predicate = NSPredicate(format: "name == %@", book.author)
            let author = try context.fetch(request).first ?? Author(context: context)
            author.name = book.author
            let added = Book(context: context)
            added.title = book.title
            added.pages = Int32(clamping: book.pages)
            added.added = Date(timeIntervalSinceReferenceDate: 0)
            added.author = author
            try context.save()
        }
    }

    /// The books whose author's name has a text in it, by title.
    public func books(byAuthor text: String) async throws -> [BookSummary] {
        let context = container.newBackgroundContext()
        return try await context.perform {
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.predicate = NSPredicate(format: "author.name CONTAINS[cd] %@", text)
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            request.relationshipKeyPathsForPrefetching = ["author"]
            return try context.fetch(request).map {
                BookSummary(title: $0.title ?? "", author: $0.author?.name ?? "", pages: Int($0.pages))
            }
        }
    }
}
