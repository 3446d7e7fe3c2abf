import CoreData
import PostgresKit
import StoreContract
import TestServers
import Testing

@testable import CoreDataGraph
@testable import CoreDataPostgres

/// How many rows the server sends for fetches that it does not decide wholly: those that it cannot rule out, not the table.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(5)))
struct NarrowedFetchTests {
    private static let count = 5_000

    private let stack: Stack
    private let store: PostgresStore

    init() throws {
        let builder = ModelBuilder()
        builder.entity(
            "Item",
            [
                "name": .stringAttributeType, "number": .integer64AttributeType, "price": .decimalAttributeType,
                "ratio": .doubleAttributeType,
            ])
        stack = try Stack(
            builder.model, url: try PostgresServer.shared.get().makeURL("narrowed"), kind: .postgreSQL,
            options: [NSPersistentStoreConnectionPoolMaxSizeKey: 1])
        store = try #require(stack.store.objects as? PostgresStore)
        for number in 0..<Self.count {
            // A letter of Unicode 14 with a mark, which servers of 13 do not know.
            let name =
                number % 100 == 7 ? "né\u{1DFA} \(number)" : number % 2 == 0 ? "Émil \(number)" : "emil \(number)"
            stack.context.insert(
                "Item",
                [
                    "name": name, "number": number, "price": Decimal(number) / 4,
                    "ratio": number % 100 == 9 ? 1e308 : Double(number),
                ])
        }
        try stack.context.save()
        stack.context.reset()
        _ = try fetch("number == -1")
    }

    private func fetch(
        _ format: String, sort: String? = nil, limit: Int = 0, offset: Int = 0
    ) throws -> (sent: Int, found: Int, evaluated: Int) {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = try NSPredicate(parsing: format)
        request.sortDescriptors = sort.map { [NSSortDescriptor(key: $0, ascending: true)] }
        (request.fetchLimit, request.fetchOffset) = (limit, offset)
        func received() -> Int { store.session.connection.rowsReceived + store.pool.idleRowsReceived }
        let (before, evaluated) = (received(), store.shape.evaluations.rows)
        let found = try stack.context.fetch(request).count
        // Beginning a transaction gives a row of its own, what it begins with another.
        return (received() - before, found, store.shape.evaluations.rows - evaluated)
    }

    /// Rows that belong to transactions and their questions, not to the table.
    private static let besides = 8

    @Test("of a fetch that the server only narrows come the rows that it cannot rule out, and no others")
    func ofFetchThatServerOnlyNarrowsComeRowsThatItCannotRuleOut() throws {
        let (sent, found, evaluated) = try fetch("number < 100 AND price * 2 < 10")
        #expect(found == 20 && evaluated == 100)
        #expect((100...100 + Self.besides).contains(sent), "\(sent)")
        let either = try fetch("(number < 30 AND price * 2 < 10) OR (number > 4979 AND uppercase(name) == 'X')")
        #expect(either.found == 20 && (50...50 + Self.besides).contains(either.sent), "\(either)")
        let none = try fetch("number < 0 AND uppercase(name) == 'X'")
        #expect(none.found == 0 && none.sent <= Self.besides, "\(none)")
        let negated = try fetch("NOT (number >= 50 OR uppercase(name) == 'X')")
        #expect(negated.found == 50 && (50...50 + Self.besides).contains(negated.sent), "\(negated)")
    }

    @Test("rows that are in doubt come, and of the others only those of the answer")
    func rowsThatAreInDoubtCome() throws {
        let folded = try fetch("name BEGINSWITH[cd] 'EMIL 1'")
        #expect(folded.found > 1_000 && folded.evaluated <= Self.count / 100)
        // Once to see that some are in doubt, once by the thousand.
        #expect(folded.sent <= 2 * (folded.found + Self.count / 100) + Self.besides, "\(folded)")
        let reals = try fetch("ratio * 4 > 19000")
        #expect(reals.found == 50 + 249 - 2, "\(reals)")
        #expect(reals.sent <= 2 * (reals.found + Self.count / 100) + Self.besides, "\(reals)")
    }

    @Test("where the server sorts, reading ends with the piece that has the last row wanted")
    func whereServerSortsReadingEndsWithPieceThatHasLastRowWanted() throws {
        let first = try fetch("price * 2 >= 0 AND number >= 0", sort: "number", limit: 10)
        #expect(first.found == 10 && first.sent <= 1_000 + Self.besides, "\(first)")
        let later = try fetch("price * 2 >= 0 AND number >= 0", sort: "number", limit: 10, offset: 1_500)
        #expect(later.found == 10 && later.sent <= 2_000 + Self.besides, "\(later)")
        let exact = try fetch("number >= 0", sort: "name", limit: 10, offset: 1_500)
        #expect(exact.found == 10 && exact.sent <= 10 + Self.besides && exact.evaluated == 0, "\(exact)")
    }
}
