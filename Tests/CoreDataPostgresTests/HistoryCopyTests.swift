import CoreData
import CoreDataPostgres
import CoreDataSQL
import CoreDataSQLite
import StoreContract
import TestBasics
import TestServers
import Testing

/// Copies of histories that are ended in the middle.
@Suite("Copied histories", .enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"))
struct HistoryCopyTests {
    private struct Ended: Error {}

    /// A target that fails in the middle of some of the transactions that it is given.
    private final class Failing: TableTarget {
        private let target: any TableTarget
        private var remaining: Int

        init(_ target: any TableTarget, after count: Int) {
            self.target = target
            remaining = count
        }

        func begin(
            _ origin: CopyOrigin, schema: StoreSchema, keys: [StoreSchema.PrimaryKeyRow]
        ) throws -> CopyPlace {
            try target.begin(origin, schema: schema, keys: keys)
        }

        func add(
            to table: CopiedTable,
            _ fill: (_ put: (TableRow) throws -> Void) throws -> CopyPlace
        ) throws {
            try target.add(to: table, fill)
        }

        func add(
            _ transactions: [HistoryTransaction],
            _ fill: (_ put: (CopiedChange) throws -> Void) throws -> CopyPlace
        ) throws {
            try target.add(transactions) { put in
                try withoutActuallyEscaping(put) { put in
                    try fill { change in
                        self.remaining -= 1
                        guard self.remaining != 0 else { throw Ended() }
                        try put(change)
                    }
                }
            }
        }

        func finish(_ metadata: [String: Any], history: HistoryExtent?) throws {
            try target.finish(metadata, history: history)
        }

        func discard() throws { try target.discard() }

        func close() { target.close() }
    }

    private static func copy(_ source: URL, to target: URL, failingAfter count: Int? = nil) throws {
        func kind(_ url: URL) -> any TableCopying.Type { url.isFileURL ? StoreFile.self : PostgresStore.self }
        let model = HistoryModel.make()
        let rows = try kind(source).tableSource(at: source, of: model)
        defer { rows.close() }
        var destination = try kind(target).tableTarget(at: target, for: model)
        defer { destination.close() }
        if let count { destination = Failing(destination, after: count) }
        try TableCopy(from: rows, to: destination).run(named: "source", history: rows.history()) { _, _ in }
    }

    @Test(
        "a copy that ends in the middle of a history goes on with the next transaction (STO-06)",
        arguments: [false, true])
    func copyThatEndsInMiddleOfHistoryGoesOnWithNextTransaction(isBack: Bool) throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("File.sqlite")
        let server = try PostgresServer.shared.get().makeURL("ended")
        let (from, to) = isBack ? (server, file) : (file, server)
        let kinds: (StoreKind, StoreKind) = isBack ? (.postgreSQL, .sqlite) : (.sqlite, .postgreSQL)
        let source = try Stack(HistoryModel.make(), url: from, kind: kinds.0, options: HistoryModel.options)
        var objects: [NSManagedObject] = []
        for number in 0..<1_200 {
            objects.append(source.context.insert("Person", ["name": "\(number)"]))
            if number % 3 == 2 { source.context.delete(objects[number - 1]) }
            try source.context.save(as: "\(number)")
        }
        // In the first portion, in the second one, and in the last one.
        for count in [10, 300, 900] {
            let error = #expect(throws: (any Error).self) { try Self.copy(from, to: to, failingAfter: count) }
            #expect(error is Ended, "\(String(describing: error))")
        }
        try Self.copy(from, to: to)
        let copy = try Stack(HistoryModel.make(), url: to, kind: kinds.1, options: HistoryModel.options)
        let (found, expected) = try (copy.context.transactions(), source.newContext().transactions())
        #expect(found.map(\.author) == expected.map(\.author) && found.map(\.lines) == expected.map(\.lines))
        #expect(found.map(\.transactionNumber) == (1...1_200).map { Int64($0) })
        #expect(try copy.context.all("Person").count == 800)
    }
}
