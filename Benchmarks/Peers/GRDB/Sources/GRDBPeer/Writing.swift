import Foundation
import GRDB

/// Records inserted, changed in one value, and deleted: in one transaction, or each in a transaction of its own.
enum Writing {
    static func insert(_ folder: URL, _ count: Int) throws -> Double {
        try Timing.writing {
            let store = try Store(folder)
            defer { store.remove() }
            let seconds = try Timing.seconds {
                try store.pool.write { db in
                    for number in 1...Int64(count) {
                        var item = Item(number: number)
                        try item.insert(db)
                    }
                }
            }
            try check(store, count)
            return seconds
        }
    }

    static func change(_ folder: URL, _ count: Int) throws -> Double {
        try changing(folder, count, left: count) { db, number, item in
            item.a0 = Int64(number) * 17
            try item.update(db, columns: ["a0"])
        }
    }

    static func delete(_ folder: URL, _ count: Int) throws -> Double {
        try changing(folder, count, left: 0) { db, _, item in
            try Failure.unless(try item.delete(db), "an item is missing")
        }
    }

    /// Saves of one changed item each.
    static func saves(_ folder: URL, _ count: Int, _ synchronous: Store.Synchronous) throws -> Double {
        let rows = max(1, count / 10)
        return try Timing.writing {
            let store = try Store(folder, items: rows, synchronous)
            defer { store.remove() }
            var items = try store.pool.read { db in try Item.fetchAll(db) }
            return try Timing.seconds {
                for number in 0..<count {
                    items[number % rows].a0 = Int64(number) * 17 + 5
                    let item = items[number % rows]
                    try store.pool.write { db in try item.update(db, columns: ["a0"]) }
                }
            }
        }
    }

    /// A change of each of some items, which are fetched before the clock starts, in one transaction.
    private static func changing(
        _ folder: URL, _ count: Int, left: Int, _ change: (Database, Int, inout Item) throws -> Void
    ) throws -> Double {
        try Timing.writing {
            let store = try Store(folder, items: count)
            defer { store.remove() }
            var items = try store.pool.read { db in try Item.fetchAll(db) }
            let seconds = try Timing.seconds {
                try store.pool.write { db in
                    for number in items.indices { try change(db, number, &items[number]) }
                }
            }
            try check(store, left)
            return seconds
        }
    }

    private static func check(_ store: Store, _ count: Int) throws {
        let rows = try store.pool.read { db in try Item.fetchCount(db) }
        try Failure.unless(rows == count, "the store has \(rows) rows after the transaction")
    }
}
