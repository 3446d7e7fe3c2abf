import Foundation
import GRDB

/// A file with the benchmarks' tables, opened by a pool of connections.
struct Store {
    enum Synchronous: Int {
        case normal = 1
        case full = 2
    }

    let pool: DatabasePool
    private let url: URL

    /// A store of so many items.
    init(_ folder: URL, items count: Int = 0, isIndexed: Bool = false, _ synchronous: Synchronous = .full) throws {
        url = folder.appendingPathComponent("grdb-\(UUID().uuidString).sqlite")
        pool = try DatabasePool(path: url.path)
        try pool.write { db in
            let columns = (0..<10).map { "a\($0) INTEGER" }.joined(separator: ", ")
            try db.execute(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, \(columns))")
            try db.execute(sql: "CREATE TABLE author (id INTEGER PRIMARY KEY, born INTEGER)")
            try db.execute(
                sql: "CREATE TABLE book (id INTEGER PRIMARY KEY, pages INTEGER, author INTEGER REFERENCES author(id))")
            try db.execute(sql: "CREATE INDEX book_author ON book(author)")
            if isIndexed { try db.execute(sql: "CREATE INDEX item_a0 ON item(a0)") }
            for number in 0..<Int64(count) {
                var item = Item(number: number + 1)
                try item.insert(db)
            }
        }
        // A pool sets NORMAL when it turns the write-ahead log on, after the preparation of its connections.
        try pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = \(synchronous.rawValue)")
            let (mode, level) = try (
                String.fetchOne(db, sql: "PRAGMA journal_mode"), Int.fetchOne(db, sql: "PRAGMA synchronous")
            )
            try Failure.unless(mode == "wal" && level == synchronous.rawValue, "the connection has other pragmas")
            // Without this the rows would stay in the log, and reading them would measure the log.
            _ = try db.checkpoint(.truncate)
        }
    }

    /// Closes the file and removes it.
    func remove() {
        try? pool.close()
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
    }
}
