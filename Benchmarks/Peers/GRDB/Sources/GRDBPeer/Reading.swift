import Foundation
import GRDB

/// Fetches of records.
enum Reading {
    private static let booksOfAuthor = 10
    private static let rowsOfQuery = 20
    private static let width: Int64 = 2_000

    /// All items, and every value of each where they are read.
    static func items(_ folder: URL, _ count: Int, reads: Bool) throws -> Double {
        let store = try Store(folder, items: count)
        defer { store.remove() }
        let expected = (1...Int64(count)).reduce(0) { $0 &+ Item(number: $1).sum }
        return try Timing.reading {
            let found = try store.pool.read { db in try Item.fetchAll(db) }
            try Failure.unless(found.count == count, "the fetch returned \(found.count) items")
            guard reads else { return }
            try Failure.unless(found.reduce(0) { $0 &+ $1.sum } == expected, "the items have other values")
        }
    }

    /// Authors with their books, and the pages of each book.
    static func booksOfAuthors(_ folder: URL, _ count: Int) throws -> Double {
        let store = try Store(folder)
        defer { store.remove() }
        try store.pool.write { db in
            for number in 0..<count {
                var author = Author(born: Int64(number))
                try author.insert(db)
                for place in 0..<booksOfAuthor {
                    var book = Book(pages: Int64(number * booksOfAuthor + place), author: author.id)
                    try book.insert(db)
                }
            }
        }
        let all = count * booksOfAuthor
        return try Timing.reading {
            let found = try store.pool.read { db in
                try Author.including(all: Author.books).asRequest(of: AuthorWithBooks.self).fetchAll(db)
            }
            var (books, pages) = (0, Int64(0))
            for author in found {
                books += author.books.count
                for book in author.books { pages += book.pages }
            }
            try Failure.unless(books == all && pages == Int64(all * (all - 1) / 2), "\(books) other books")
        }
    }

    /// Queries for the items whose first integer lies in a range, sorted by it.
    static func ranges(_ folder: URL, _ count: Int) throws -> Double {
        let rows = count * 200
        let store = try Store(folder, items: rows, isIndexed: true)
        defer { store.remove() }
        let bounds = (0..<count).map { Int64(1 + $0 * 7_919 % rows) * 31 % 1_000_003 }
        let key = Column("a0")
        return try Timing.reading {
            var found = 0
            for bound in bounds {
                let items = try store.pool.read { db in
                    try Item.filter(key >= bound && key < bound + width).order(key).limit(rowsOfQuery).fetchAll(db)
                }
                try Failure.unless(items.first?.a0 == bound, "a range has other items")
                found += items.count
            }
            try Failure.unless(found >= count, "\(found) items in the ranges")
        }
    }
}
