import CFaultVFS
import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

/// Memory that SQLite asks for and does not get, in a process of its own, which installs the allocator first.
@Suite("Memory that runs out")
struct MemoryFaultTests {
    @Test(
        "each allocation of SQLite that fails refuses what was asked, and all goes on afterwards (HAZ-40)",
        .timeLimit(.minutes(30)), arguments: [false, true])
    func eachAllocation(isLasting: Bool) async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardOutputContent, \.standardErrorContent]
        ) { [isLasting = isLasting as Bool] in
            try MemoryFaultTests.failEachAllocation(isLasting: isLasting)
        }
        let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        #expect(text.contains("HAZ-40: done"), "\(result.standardErrorText.suffix(2_000))")
    }

    private static func failEachAllocation(isLasting: Bool) throws {
        try #require(fault_memory_install() == 0)
        let folder = try Fixtures.temporaryFolder()
        let url = folder.appendingPathComponent("Books.sqlite")
        var expected = try makeStore(url)
        var (refused, survived) = (0, 0)
        var number = 1
        while number < 100_000 {
            fault_memory_arm(Int64(number), isLasting ? 1 : 0)
            let added = "added \(number)"
            let told = expected.mapValues { $0.isChosen ? Book(pages: $0.pages + 1, isChosen: true) : $0 }
                .merging([added: Book(pages: 0, isChosen: false)]) { $1 }
            let error = failure { try work(url, adding: added) }
            let hasFailed = fault_memory_disarm() != 0
            guard hasFailed else { break }
            if let error {
                refused += 1
                #expect(
                    error.domain == NSCocoaErrorDomain || error.domain == NSSQLiteErrorDomain, "\(number): \(error)")
            } else {
                survived += 1
            }
            // What was refused is not there, what was told is; and the store is as good as before.
            let found = try contents(url)
            if error == nil {
                #expect(found == told, "allocation \(number)")
            } else {
                #expect(found == expected || found == told, "allocation \(number)")
            }
            try remove(added, url)
            expected = found.filter { $0.key != added }
            // All of the first ones, among which the opening is, and a part of the many that are alike.
            number += number < 400 ? 1 : 17
        }
        #expect(refused > 50, "\(refused) refused, \(survived) survived")
        #expect(try Connection.open(url.path).integrityFaults() == [])
        print("HAZ-40: done; \(refused) refused, \(survived) survived, the last at allocation \(number)")
    }

    @Test(
        "each allocation that fails while a store is replaced leaves the former or the new one, and says why (HAZ-40, STO-28)",
        .timeLimit(.minutes(30)))
    func eachAllocationOfAReplacement() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardOutputContent, \.standardErrorContent]
        ) { try MemoryFaultTests.failEachAllocationOfAReplacement() }
        let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        #expect(text.contains("HAZ-40: done"), "\(result.standardErrorText.suffix(2_000))")
    }

    private static func failEachAllocationOfAReplacement() throws {
        try #require(fault_memory_install() == 0)
        let folder = try Fixtures.temporaryFolder()
        let (source, target) = (
            folder.appendingPathComponent("New.sqlite"), folder.appendingPathComponent("Old.sqlite")
        )
        let expected = try makeStore(source)
        let model = try stack(target).coordinator.managedObjectModel
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        var refused = 0
        for number in stride(from: 1, to: 100_000, by: TestSeed.isExhaustive ? 1 : 3) {
            // What an allocation that fails leaves is either the former store, here without a book, or the new one.
            try emptied(target)
            fault_memory_arm(Int64(number), 0)
            let error = failure {
                try coordinator.replacePersistentStore(
                    at: target, withPersistentStoreFrom: source, type: .sqlite)
            }
            guard fault_memory_disarm() != 0 else { break }
            if let error {
                refused += 1
                #expect(
                    error.domain == NSCocoaErrorDomain || error.domain == NSSQLiteErrorDomain, "\(number): \(error)")
            }
            let found = try contents(target)
            #expect(error == nil ? found == expected : found.isEmpty || found == expected, "allocation \(number)")
        }
        #expect(refused > 50, "\(refused) refused")
        print("HAZ-40: done; \(refused) refused")
    }

    private static func emptied(_ url: URL) throws {
        let stack = try stack(url)
        defer { close(stack) }
        for book in try stack.context.all("Book") { stack.context.delete(book) }
        try stack.context.save()
    }

    private static func stack(_ url: URL) throws -> Stack {
        let builder = ModelBuilder()
        builder.entity("Book", ["name": .stringAttributeType, "pages": .integer32AttributeType])
        builder.entity("Shelf", ["name": .stringAttributeType])
        builder.relationships("Shelf.books*", "Book.shelf")
        return try Stack(builder.model, url: url)
    }

    private static func close(_ stack: Stack) { try? stack.coordinator.remove(stack.store) }

    /// What is in the store of a book.
    private struct Book: Equatable {
        let pages: Int
        /// Whether the predicate of the work selects it.
        let isChosen: Bool
    }

    private static func makeStore(_ url: URL) throws -> [String: Book] {
        let stack = try stack(url)
        defer { close(stack) }
        let shelf = stack.context.insert("Shelf", ["name": "s"])
        for number in 0..<20 {
            stack.context.insert("Book", ["name": "book \(number)", "pages": number, "shelf": shelf])
        }
        try stack.context.save()
        let chosen = Set([1] + Array(10..<20))
        return Dictionary(
            uniqueKeysWithValues: (0..<20).map { ("book \($0)", Book(pages: $0, isChosen: chosen.contains($0))) })
    }

    /// Opens the store, fetches with a predicate, changes and inserts, saves, and closes.
    private static func work(_ url: URL, adding name: String) throws {
        let stack = try stack(url)
        defer { close(stack) }
        let books = try stack.context.all(
            "Book", NSPredicate(format: "shelf.name == 's' AND name CONTAINS[cd] 'BOOK 1'"))
        for book in books { book.setValue((book.value(forKey: "pages") as? Int ?? 0) + 1, forKey: "pages") }
        stack.context.insert("Book", ["name": name])
        try stack.context.save()
    }

    private static func contents(_ url: URL) throws -> [String: Book] {
        let stack = try stack(url)
        defer { close(stack) }
        let books = try stack.context.all("Book").map { book in
            let name = book.value(forKey: "name") as? String ?? ""
            let pages = book.value(forKey: "pages") as? Int ?? 0
            return (name, Book(pages: pages, isChosen: name.hasPrefix("book 1")))
        }
        return Dictionary(uniqueKeysWithValues: books)
    }

    private static func remove(_ name: String, _ url: URL) throws {
        let stack = try stack(url)
        defer { close(stack) }
        for book in try stack.context.all("Book", NSPredicate(format: "name == %@", name)) {
            stack.context.delete(book)
        }
        try stack.context.save()
    }

    private static func failure(_ body: () throws -> Void) -> NSError? {
        do { try body() } catch { return error as NSError }
        return nil
    }
}
