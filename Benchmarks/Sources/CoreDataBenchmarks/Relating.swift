import CRawBaseline
import CoreData

/// A book with its author, accessors as a generated class has them.
final class Book: NSManagedObject {
    static let table = PropertyTable([.stored("pages"), .stored("author"), .stored("tags")])

    override class var propertyTable: PropertyTable { table }

    var pages: Int64 {
        get { attribute(0) }
        set { setAttribute(0, newValue) }
    }
    var author: Author? {
        get { toOne(1) }
        set { setToOne(1, newValue) }
    }
}

/// Who wrote a book.
final class Author: NSManagedObject {
    static let table = PropertyTable([.stored("born"), .stored("books")])

    override class var propertyTable: PropertyTable { table }

    var born: Int64 {
        get { attribute(0) }
        set { setAttribute(0, newValue) }
    }
    /// In the form of a class that Xcode generates.
    var books: NSSet? {
        get { toMany(1) }
        set { setToMany(1, newValue) }
    }
}

/// A mark that many books have.
final class Tag: NSManagedObject {
    static let table = PropertyTable([.stored("books"), .stored("number")])

    override class var propertyTable: PropertyTable { table }

    /// In the form of a class that Xcode generates.
    var books: NSSet? {
        get { toMany(0) }
        set { setToMany(0, newValue) }
    }
    /// In the form of a class written by hand.
    var bookSet: Set<Book> {
        get { toMany(0) }
        set { setToMany(0, newValue) }
    }
    var number: Int64 {
        get { attribute(1) }
        set { setAttribute(1, newValue) }
    }
}

/// Relationships: the authors of books as faults that fire together or one by one, the books of tags and of authors.
enum Relating {
    private static let booksOfTag = 100
    private static let booksOfAuthor = 10

    static let all = [
        Benchmark(
            "P", "# to-one faults one by one, beside prefetched", size: 10_000, bar: 12, stretch: 8
        ) { count, bench in
            let url = try bench.once("books \(count)") { try fill(bench.place("Books"), books: count, tags: 0) }
            return Sides(
                ours: { try authors(url, count, prefetched: false) }, raw: { try authors(url, count, prefetched: true) }
            )
        },
        Benchmark("M", "# × \(booksOfTag) members through a many-to-many", size: 1_000, bar: 3, stretch: 2) {
            count, bench in
            let url = try tags(bench, count)
            return Sides(
                ours: { try members(url, count) { tag, read in tag.bookSet.forEach(read) } },
                raw: { try rawMembers(url, count) })
        },
        // Foundation's set and its list of objects alone take more than twice the time of C.
        Benchmark("MN", "# × \(booksOfTag) members, as NSSet", size: 1_000, bar: 3, stretch: 2) { count, bench in
            let url = try tags(bench, count)
            return Sides(
                ours: {
                    try members(url, count) { tag, read in
                        for case let book as Book in tag.books?.allObjects ?? [] { read(book) }
                    }
                }, raw: { try rawMembers(url, count) })
        },
        Benchmark(
            "MB", "# × \(booksOfAuthor) members prefetched, NSSet cast to Set", size: 10_000, bar: 4.5, stretch: 3
        ) { count, bench in
            let url = try bench.once("authors \(count)") {
                try fill(bench.place("Authors"), authors: count)
            }
            return Sides(ours: { try membersOfAuthors(url, count) }, raw: { try rawMembersOfAuthors(url, count) })
        },
    ]

    private static let model: NSManagedObjectModel = {
        let names = ["Author", "Book", "Tag"]
        let entities = names.map { name in
            let entity = NSEntityDescription()
            entity.name = name
            entity.managedObjectClassName = "CoreDataBenchmarks.\(name)"
            return entity
        }
        let (author, book, tag) = (entities[0], entities[1], entities[2])
        let pairs = [
            (relationship("author", author, 1), relationship("books", book, 0)),
            (relationship("tags", tag, 0), relationship("books", book, 0)),
        ]
        for (one, other) in pairs { (one.inverseRelationship, other.inverseRelationship) = (other, one) }
        author.properties = [Workbench.attribute("born", .integer64AttributeType), pairs[0].1]
        book.properties = [Workbench.attribute("pages", .integer64AttributeType), pairs[0].0, pairs[1].0]
        tag.properties = [Workbench.attribute("number", .integer64AttributeType), pairs[1].1]
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }()

    private static func relationship(
        _ name: String, _ destination: NSEntityDescription, _ maxCount: Int
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        (relationship.maxCount, relationship.isOptional) = (maxCount, true)
        return relationship
    }

    /// Each book has an author of its own, and each tag a hundred books, ten tags a book.
    private static func fill(_ url: URL, books count: Int, tags: Int) throws -> URL {
        let container = try Workbench.open(url, model)
        let context = container.newBackgroundContext()
        try context.performAndWait {
            let books = (0..<count).map { number in
                let book = Book(context: context)
                book.pages = Int64(number)
                book.author = Author(context: context)
                book.author?.born = Int64(1_000 + number)
                return book
            }
            for number in 0..<tags {
                let tag = Tag(context: context)
                tag.number = Int64(number)
                tag.books = NSSet(array: (0..<booksOfTag).map { books[(number * 37 + $0 * 7) % count] })
            }
            try context.save()
        }
        try Workbench.close(container)
        return url
    }

    /// Authors of ten books each.
    private static func fill(_ url: URL, authors count: Int) throws -> URL {
        let container = try Workbench.open(url, model)
        let context = container.newBackgroundContext()
        try context.performAndWait {
            for number in 0..<count {
                let author = Author(context: context)
                author.born = Int64(number)
                for place in 0..<booksOfAuthor {
                    let book = Book(context: context)
                    book.pages = Int64(number * booksOfAuthor + place)
                    book.author = author
                }
            }
            try context.save()
        }
        try Workbench.close(container)
        return url
    }

    /// Reads the pages of all books of all authors, as programs with classes of Xcode's do.
    private static func membersOfAuthors(_ url: URL, _ authors: Int) throws -> Sample {
        let container = try Workbench.open(url, model)
        let context = container.newBackgroundContext()
        let seconds = try context.performAndWait {
            let request = NSFetchRequest<Author>(entityName: "Author")
            request.relationshipKeyPathsForPrefetching = ["books"]
            let start = raw_now()
            var (count, sum) = (0, Int64(0))
            for author in try context.fetch(request) {
                guard let books = author.books as? Set<Book> else {
                    throw Failure("the members are not a set of books")
                }
                count += books.count
                for book in books { sum += book.pages }
            }
            let seconds = raw_now() - start
            let all = authors * booksOfAuthor
            guard count == all, sum == Int64(all * (all - 1) / 2) else { throw Failure("\(count) other members") }
            return seconds
        }
        try Workbench.close(container)
        return Sample(seconds: seconds)
    }

    private static func rawMembersOfAuthors(_ url: URL, _ authors: Int) throws -> Sample {
        let query = "SELECT Z_PK, ZPAGES FROM ZBOOK WHERE ZAUTHOR = ?"
        let result = raw_fetch_members(url.path, query, Int64(authors))
        let all = authors * booksOfAuthor
        guard result.error == 0, result.rows == all, result.sum == UInt64(all * (all - 1) / 2) else {
            throw Failure("the raw query saw other members: \(result)")
        }
        return Sample(seconds: result.seconds)
    }

    private static func authors(_ url: URL, _ count: Int, prefetched: Bool) throws -> Sample {
        let container = try Workbench.open(url, model)
        let context = container.newBackgroundContext()
        let seconds = try context.performAndWait {
            let request = NSFetchRequest<Book>(entityName: "Book")
            if prefetched { request.relationshipKeyPathsForPrefetching = ["author"] }
            let start = raw_now()
            let sum = try context.fetch(request).reduce(Int64(0)) { $0 + ($1.author?.born ?? 0) }
            let seconds = raw_now() - start
            guard sum == Int64(count) * 1_000 + Int64(count * (count - 1) / 2) else { throw Failure("other authors") }
            return seconds
        }
        try Workbench.close(container)
        return Sample(seconds: seconds)
    }

    private static func tags(_ bench: Workbench, _ count: Int) throws -> URL {
        try bench.once("tags \(count)") { try fill(bench.place("Tags"), books: count * 10, tags: count) }
    }

    /// Reads the members of every tag, which `visit` goes through.
    private static func members(
        _ url: URL, _ tags: Int, _ visit: (Tag, (Book) -> Void) -> Void
    ) throws -> Sample {
        let container = try Workbench.open(url, model)
        let context = container.newBackgroundContext()
        let seconds = try context.performAndWait {
            let start = raw_now()
            var (count, sum) = (0, Int64(0))
            for tag in try context.fetch(NSFetchRequest<Tag>(entityName: "Tag")) {
                visit(tag) { book in
                    count += 1
                    sum += book.pages
                }
            }
            let seconds = raw_now() - start
            guard count == tags * booksOfTag, sum == pages(tags) else { throw Failure("\(count) other members") }
            return seconds
        }
        try Workbench.close(container)
        return Sample(seconds: seconds)
    }

    private static func pages(_ tags: Int) -> Int64 {
        (0..<tags).reduce(0) { sum, tag in
            (0..<booksOfTag).reduce(sum) { $0 + Int64((tag * 37 + $1 * 7) % (tags * 10)) }
        }
    }

    private static func rawMembers(_ url: URL, _ tags: Int) throws -> Sample {
        let result = raw_fetch_members(url.path, try memberQuery(url), Int64(tags))
        guard result.error == 0, result.rows == tags * booksOfTag, result.sum == UInt64(pages(tags)) else {
            throw Failure("the raw query saw other members: \(result)")
        }
        return Sample(seconds: result.seconds)
    }

    /// The members of one tag by way of the table between, whose name and columns have the entities' numbers in them.
    private static func memberQuery(_ url: URL) throws -> String {
        let table = try text(url, "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'")
        let tags = try text(url, "SELECT name FROM pragma_table_info('\(table)') WHERE name GLOB '*TAGS*'")
        let books = try text(url, "SELECT name FROM pragma_table_info('\(table)') WHERE name GLOB '*BOOKS*'")
        return "SELECT b.Z_PK, b.ZPAGES FROM \(table) j JOIN ZBOOK b ON b.Z_PK = j.\(books) WHERE j.\(tags) = ?"
    }

    private static func text(_ url: URL, _ query: String) throws -> String {
        var buffer = [CChar](repeating: 0, count: 200)
        let result = raw_read_text(url.path, query, &buffer, Int32(buffer.count))
        guard result == 0 else { throw Failure("SQLite's result code of \(query) is \(result)") }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
