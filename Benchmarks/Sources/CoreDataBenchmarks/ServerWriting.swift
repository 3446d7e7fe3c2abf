import CRawBaseline
import CRawPostgres
import CoreData

/// Objects saved on a server, with history and a unique attribute: many in one save, and one a save by one writer and by many.
enum ServerWriting {
    static let all = [
        Benchmark("QB", size: 50_000) { count, session in
            try ServerStore.rows("QB") {
                let bench = session.workbench
                let sides = Sides(
                    ours: { try create(bench, count) },
                    raw: {
                        let store = try ServerStore(bench, tracksHistory: true)
                        defer { store.remove() }
                        return try ServerStore.require(
                            raw_server_copy_items(store.place, store.schema, Int64(count), 1))
                    })
                let measurement = try Measurement(of: sides, runs: session.runs)
                return [
                    Row(
                        name: "QB  create and save \(count) objects with history on a server, beside COPY",
                        value: measurement.ratio, bar: 3, measurement: measurement)
                ]
            }
        },
        saves("QS", writers: 1, size: 5_000, bar: 1.3), saves("QM", writers: 16, size: 8_000, bar: 1.4),
    ]

    private static func create(_ bench: Workbench, _ count: Int) throws -> Sample {
        let store = try ServerStore(bench, tracksHistory: true)
        defer { store.remove() }
        let container = try store.open(tracksHistory: true)
        defer { try? Workbench.close(container) }
        let context = container.newBackgroundContext()
        let seconds = try context.performAndWait {
            let start = raw_now()
            for row in 1...Int64(count) {
                let item = Item(context: context)
                item.a0 = (row * 31) % 1_000_003
                item.a1 = (row * 31 + 7) % 1_000_003
                item.a2 = (row * 31 + 14) % 1_000_003
                item.a3 = (row * 31 + 21) % 1_000_003
                item.a4 = (row * 31 + 28) % 1_000_003
                item.a5 = (row * 31 + 35) % 1_000_003
                item.a6 = (row * 31 + 42) % 1_000_003
                item.a7 = (row * 31 + 49) % 1_000_003
                item.a8 = (row * 31 + 56) % 1_000_003
                item.a9 = (row * 31 + 63) % 1_000_003
            }
            try context.save()
            return raw_now() - start
        }
        let rows = try container.newBackgroundContext().count(for: NSFetchRequest<Item>(entityName: "Item"))
        guard rows == count else { throw Failure("the store has \(rows) rows after the save") }
        return Sample(seconds: seconds)
    }

    private static let rawWork =
        "C sends BEGIN, the UPDATE of a row, the INSERTs of its transaction and change, COMMIT, all prepared, with neither a "
        + "check of the row's version nor a mark that tells after a lost connection; the server waits for no disk on either side"

    /// Saves of one changed object each, beside C that sends the statements as pgbench does, and beside C that pipelines them.
    private static func saves(_ code: String, writers: Int, size: Int, bar: Double) -> Benchmark {
        Benchmark(code, size: size) { count, session in
            try ServerStore.rows(code) {
                FileHandle.standardError.write(Data("\(code): \(rawWork)\n".utf8))
                let (each, rows) = (max(1, count / writers), 100)
                // Each side has a store of its own, as a row that the other has changed is a conflict.
                let store = try ServerStore(session.workbench, count: rows * writers, tracksHistory: true)
                let rawStore = try ServerStore(session.workbench, count: rows * writers, tracksHistory: true)
                defer { for store in [store, rawStore] { store.remove() } }
                let crowd = try (0..<writers).map { try Writer(store, number: $0, rows: rows) }
                defer { for writer in crowd { writer.close() } }
                return try [(raw_server_one_by_one, "a round trip a statement"), (raw_server_pipelined, "a pipeline")]
                    .map { saving, name in
                        let sides = Sides(
                            ours: { try Writer.run(crowd, each) },
                            raw: {
                                try ServerStore.require(
                                    raw_server_save_items(
                                        rawStore.place, rawStore.schema, Int32(writers), Int64(each), Int64(rows),
                                        saving))
                            })
                        let measurement = try Measurement(of: sides, runs: session.runs)
                        return Row(
                            name: "\(code)  \(each * writers) saves of one object with history, \(writers) at once, "
                                + "beside \(name) in C", value: measurement.ratio,
                            bar: saving == raw_server_one_by_one ? bar : nil, measurement: measurement)
                    }
            }
        }
    }
}

/// A program that saves, with a store and a context of its own.
private final class Writer: @unchecked Sendable {
    private let container: NSPersistentContainer
    private let context: NSManagedObjectContext
    private var items: [Item] = []
    private var number = 0
    private var failure: (any Error)?

    /// The writer of that number has as many rows as each.
    init(_ store: ServerStore, number: Int, rows: Int) throws {
        container = try store.open(tracksHistory: true)
        context = container.newBackgroundContext()
        try context.performAndWait {
            let request = NSFetchRequest<Item>(entityName: "Item")
            request.predicate = NSPredicate(
                format: "a0 > %ld AND a0 <= %ld", number * rows * 31, (number + 1) * rows * 31)
            request.returnsObjectsAsFaults = false
            items = try context.fetch(request)
        }
        guard items.count == rows else { throw Failure("a writer has \(items.count) rows") }
    }

    func close() { try? Workbench.close(container) }

    private func save(_ count: Int) {
        do {
            try context.performAndWait {
                for _ in 0..<count {
                    number += 1
                    items[number % items.count].a3 = Int64(number) * 17 + 5_000_000
                    try context.save()
                }
            }
        } catch {
            failure = error
        }
    }

    /// Has all save at once.
    static func run(_ writers: [Writer], _ count: Int) throws -> Sample {
        let ready = DispatchGroup()
        let start = raw_now()
        for writer in writers {
            ready.enter()
            Thread {
                writer.save(count)
                ready.leave()
            }.start()
        }
        ready.wait()
        let seconds = raw_now() - start
        if let failure = writers.lazy.compactMap(\.failure).first { throw failure }
        return Sample(seconds: seconds)
    }
}
