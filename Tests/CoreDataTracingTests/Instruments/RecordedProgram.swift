import CoreData
import CoreDataTracing
import StoreContract
import TestBasics
import Testing

/// A small program on a library of 3,000 books, run on the real library while it is recorded.
struct RecordedProgram: Sendable, CustomTestStringConvertible {
    let name: String
    /// The kinds of findings with their keys that must come out: all of them, and no others. A key may be nil.
    let expected: [Expectation]
    let body: @Sendable (Stack) throws -> Void

    struct Expectation: Hashable, Sendable {
        let kind: TraceFinding.Kind
        let entity: String
        let key: String?
    }

    var testDescription: String { name }

    init(
        _ name: String, _ expected: [Expectation] = [], _ body: @escaping @Sendable (Stack) throws -> Void
    ) {
        self.name = name
        self.expected = expected
        self.body = body
    }

    /// What was recorded while the program ran.
    func recorded() throws -> Trace {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Library.sqlite")
        try FileManager.default.copyItem(at: Self.template.get().url, to: url)
        let stack = try Stack(Self.model, url: url)
        let file = folder.url.appendingPathComponent("program.trace")
        stack.context.name = name
        try CoreDataInstruments.startRecording(to: file)
        defer { CoreDataInstruments.stopRecording() }
        try body(stack)
        CoreDataInstruments.stopRecording()
        return try TraceReader.trace(at: file)
    }

    static let model: NSManagedObjectModel = {
        let builder = ModelBuilder()
        builder.entity("Author", ["name": .stringAttributeType, "country": .stringAttributeType])
        builder.entity("Publisher", ["name": .stringAttributeType])
        builder.entity("Tag", ["name": .stringAttributeType])
        let book = builder.entity(
            "Book",
            [
                "title": .stringAttributeType, "year": .integer32AttributeType, "isbn": .stringAttributeType,
                "price": .doubleAttributeType, "code": .integer64AttributeType,
            ])
        builder.entity("Review", ["stars": .integer16AttributeType])
        builder.relationships("Book.author", "Author.books*")
        builder.relationships("Book.publisher", "Publisher.books*")
        builder.relationships("Book.tags*", "Tag.books*")
        builder.relationships("Review.book", "Book.reviews*")
        if let code = book.propertiesByName["code"] {
            let element = NSFetchIndexElementDescription(property: code, collationType: .binary)
            book.indexes = [NSFetchIndexDescription(name: "byCode", elements: [element])]
        }
        return builder.model
    }()

    /// The closed store that each program gets a copy of.
    private static let template = Result { try Template() }

    private final class Template: Sendable {
        let url: URL
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            url = folder.url.appendingPathComponent("Library.sqlite")
            let stack = try Stack(RecordedProgram.model, url: url)
            let context = stack.context
            let authors = (0..<60).map { context.insert("Author", ["name": "Author \($0)", "country": "C\($0 % 7)"]) }
            let publishers = (0..<20).map { context.insert("Publisher", ["name": "Publisher \($0)"]) }
            let tags = (0..<40).map { context.insert("Tag", ["name": "Tag \($0)"]) }
            for number in 0..<3_000 {
                let book = context.insert(
                    "Book",
                    [
                        "title": "Title \(number)", "year": 1_900 + number % 120, "isbn": "isbn-\(number)",
                        "price": Double(number), "code": number, "author": authors[number % 60],
                        "publisher": publishers[number % 20],
                    ])
                guard number < 100 else { continue }
                book.mutableSetValue(forKey: "tags").add(tags[number % 40])
                for stars in 0..<2 { context.insert("Review", ["stars": stars, "book": book]) }
            }
            try context.save()
            try stack.coordinator.remove(stack.store)
            // The file alone is copied: nothing may be left in a log.
            for suffix in ["-wal", "-shm"] {
                let path = url.path + suffix
                if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
            }
        }
    }
}

extension NSManagedObjectContext {
    /// Objects of an entity by what a program sets of the request.
    func found(_ entity: String, _ change: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }) throws
        -> [NSManagedObject]
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        change(request)
        return try fetch(request)
    }
}

extension NSManagedObject {
    /// The object at the other end of a relationship to one.
    func target(_ key: String) -> NSManagedObject? { value(forKey: key) as? NSManagedObject }

    /// The members of a relationship to many.
    func members(_ key: String) -> Set<NSManagedObject> { value(forKey: key) as? Set<NSManagedObject> ?? [] }
}
