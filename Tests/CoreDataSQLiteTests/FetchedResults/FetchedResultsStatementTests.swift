import CoreData
import StoreContract
import Testing

@testable import CoreDataGraph
@testable import CoreDataSQLite

/// What a controller asks of a store.
@Suite struct FetchedResultsStatementTests {
    private func stack(_ count: Int) throws -> Stack {
        let stack = try HeroModel.stack()
        for number in 0..<count {
            stack.context.insert("Hero", ["name": "Hero \(number % 26)", "strength": number % 30_000])
        }
        try stack.context.save()
        return try stack.reopened()
    }

    private func controller(_ stack: Stack) -> NSFetchedResultsController<Hero> {
        let request = NSFetchRequest<Hero>(entityName: "Hero")
        request.sortDescriptors = ["name", "strength"].map { NSSortDescriptor(key: $0, ascending: true) }
        return NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: "name", cacheName: nil)
    }

    @Test(
        "opening a large list is one question for keys and sections, and rows come in batches of 20 (FRC-23)",
        .enabled(if: RuntimeShortcuts.areTaken, "the plain path reads every property by its key"))
    func opensWithKeys() throws {
        let stack = try stack(100_000)
        let controller = controller(stack)
        // How large the file is, is asked besides.
        let texts = try stack.statements { try controller.performFetch() }.filter { !$0.hasPrefix("PRAGMA") }
        #expect(texts == ["SELECT t0.Z_PK, t0.Z_ENT, t0.ZNAME FROM ZHERO t0 ORDER BY t0.ZNAME, t0.ZSTRENGTH, t0.Z_PK"])
        #expect(controller.sections?.count == 26)
        #expect(controller.sections?.reduce(0) { $0 + $1.numberOfObjects } == 100_000)
        #expect(stack.store.rowCache.count == 0 && stack.context.registeredObjects.isEmpty)
        stack.expectStatements(1) {
            for row in 0..<20 { #expect(controller.object(at: IndexPath(row: row, section: 0)).name == "Hero 0") }
        }
        #expect(stack.context.registeredObjects.count == 20)
    }

    @Test("a change in a large list that was not read asks for few rows (FRC-11)")
    func changesCheaply() throws {
        let stack = try stack(20_000)
        let controller = controller(stack)
        let counter = Counter()
        controller.delegate = counter
        try controller.performFetch()
        let hero = controller.object(at: IndexPath(row: 7, section: 3))
        hero.strength = 29_999
        let texts = stack.statements { stack.context.processPendingChanges() }
        #expect(counter.count == 1)
        #expect((1...6).contains(texts.count))
        #expect(stack.context.registeredObjects.count == 20)
        #expect(controller.indexPath(forObject: hero)?.section == 3)
    }

    @Test("each of many changes asks for the rows around two places (FRC-11)")
    func changesCheaplyAgainAndAgain() throws {
        let stack = try stack(20_000)
        let controller = controller(stack)
        let counter = Counter()
        controller.delegate = counter
        try controller.performFetch()
        let heroes = (0..<150).map { controller.object(at: IndexPath(row: $0 * 7 % 600, section: $0 % 26)) }
        var counts: [Int] = []
        for (number, hero) in heroes.enumerated() {
            hero.strength = Int16(number * 7_919 % 30_000)
            counts.append(stack.statementCount { stack.context.processPendingChanges() })
        }
        #expect(counter.count > 140)
        // Around the former place, and two looks into one part of the list; what leads there is known by then.
        let later = counts.dropFirst(100)
        #expect(later.reduce(0, +) <= later.count * 3 + 10, "\(counts)")
    }

    private final class Counter: NSFetchedResultsControllerDelegate {
        private(set) var count = 0

        func controller(
            _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
            at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
        ) { count += 1 }
    }
}
