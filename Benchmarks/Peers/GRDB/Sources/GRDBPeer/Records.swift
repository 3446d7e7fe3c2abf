import GRDB

/// A row of ten integers.
struct Item: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "item"

    var id: Int64?
    var a0, a1, a2, a3, a4, a5, a6, a7, a8, a9: Int64

    /// The record with the values that the benchmarks give the row of a number.
    init(number: Int64) {
        func value(_ place: Int64) -> Int64 { (number * 31 + place * 7) % 1_000_003 }
        (a0, a1, a2, a3, a4) = (value(0), value(1), value(2), value(3), value(4))
        (a5, a6, a7, a8, a9) = (value(5), value(6), value(7), value(8), value(9))
    }

    init(row: Row) throws {
        id = row[0]
        a0 = row[1]
        a1 = row[2]
        a2 = row[3]
        a3 = row[4]
        a4 = row[5]
        a5 = row[6]
        a6 = row[7]
        a7 = row[8]
        a8 = row[9]
        a9 = row[10]
    }

    func encode(to container: inout PersistenceContainer) throws {
        container["id"] = id
        container["a0"] = a0
        container["a1"] = a1
        container["a2"] = a2
        container["a3"] = a3
        container["a4"] = a4
        container["a5"] = a5
        container["a6"] = a6
        container["a7"] = a7
        container["a8"] = a8
        container["a9"] = a9
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

    /// The sum of the ten integers.
    var sum: Int64 { a0 &+ a1 &+ a2 &+ a3 &+ a4 &+ a5 &+ a6 &+ a7 &+ a8 &+ a9 }
}

struct Author: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "author"

    /// The books by an author, under the key "books".
    static var books: HasManyAssociation<Author, Book> {
        hasMany(Book.self, using: ForeignKey(["author"])).forKey("books")
    }

    var id: Int64?
    var born: Int64

    init(born: Int64) { self.born = born }

    init(row: Row) throws {
        id = row[0]
        born = row[1]
    }

    func encode(to container: inout PersistenceContainer) throws {
        container["id"] = id
        container["born"] = born
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct Book: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "book"

    var id: Int64?
    var pages: Int64
    var author: Int64?

    init(pages: Int64, author: Int64?) { (self.pages, self.author) = (pages, author) }

    init(row: Row) throws {
        id = row[0]
        pages = row[1]
        author = row[2]
    }

    func encode(to container: inout PersistenceContainer) throws {
        container["id"] = id
        container["pages"] = pages
        container["author"] = author
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// An author with all books by that author, which a request includes.
struct AuthorWithBooks: FetchableRecord {
    let author: Author
    let books: [Book]

    init(row: Row) throws {
        author = try Author(row: row)
        books = row["books"]
    }
}
