import Foundation
import GRDB
import Synchronization

/// Fetches by several threads on one pool, and fetches beside a long transaction.
enum Threads {
    /// The time from the start of so many threads to the end of the last, each of which fetches all items.
    static func fetch(_ folder: URL, _ count: Int, threads: Int) throws -> Double {
        let store = try Store(folder, items: count)
        defer { store.remove() }
        let pool = store.pool
        // All connections are open when the clock starts.
        _ = try together(threads) { _ = try pool.read { db in try Item.limit(100).fetchAll(db) } }
        return Timing.median(
            try (0..<3).map { _ in
                try together(threads) {
                    let found = try pool.read { db in try Item.fetchAll(db) }
                    try Failure.unless(found.count == count, "the fetch returned \(found.count) items")
                }
            })
    }

    /// The 99th percentile of fetching ten items while so many are inserted in one transaction, and without that.
    static func pages(_ folder: URL, _ count: Int) throws -> [Double] {
        let runs = try (0..<2).map { _ in try waits(folder, count) }
        return [Timing.median(runs.map(\.beside)), Timing.median(runs.map(\.quiet))]
    }

    private static func waits(_ folder: URL, _ count: Int) throws -> (beside: Double, quiet: Double) {
        let store = try Store(folder, items: 10_000)
        defer { store.remove() }
        let pool = store.pool
        func page(_ number: Int) throws -> Double {
            try Timing.seconds {
                let found = try pool.read { db in try Item.limit(10, offset: number * 97 % 5_000).fetchAll(db) }
                try Failure.unless(!found.isEmpty, "items are missing")
            }
        }
        let quiet = try (0..<1_000).map(page)
        let items = (1...Int64(count)).map(Item.init(number:))
        let (isSaving, done) = (Flag(), DispatchGroup())
        let failure = Mutex<(any Error)?>(nil)
        done.enter()
        Thread.detachNewThread {
            do {
                try pool.write { db in
                    for item in items { _ = try item.inserted(db) }
                }
            } catch { failure.withLock { $0 = error } }
            isSaving.lower()
            done.leave()
        }
        var beside: [Double] = []
        while isSaving.isUp || beside.isEmpty { beside.append(try page(beside.count)) }
        done.wait()
        if let failure = failure.withLock({ $0 }) { throw failure }
        return (Timing.percentile99(beside), Timing.percentile99(quiet))
    }

    /// Runs a block on as many threads at once.
    private static func together(_ threads: Int, _ block: @escaping @Sendable () throws -> Void) throws -> Double {
        let (start, done) = (DispatchSemaphore(value: 0), DispatchGroup())
        let failure = Mutex<(any Error)?>(nil)
        for _ in 0..<threads {
            done.enter()
            Thread.detachNewThread {
                start.wait()
                do { try block() } catch { failure.withLock { $0 = error } }
                done.leave()
            }
        }
        let seconds = Timing.seconds {
            for _ in 0..<threads { start.signal() }
            done.wait()
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
        return seconds
    }
}

/// Whether something still goes on.
private final class Flag: Sendable {
    private let state = Atomic(true)

    var isUp: Bool { state.load(ordering: .acquiring) }

    func lower() { state.store(false, ordering: .releasing) }
}
