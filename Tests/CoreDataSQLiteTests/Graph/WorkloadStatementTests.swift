import CoreData
import SQLiteKit
import StoreContract
import Testing

@testable import CoreDataSQLite

/// How many statements the work takes whose speed `make bench` tells, at two sizes: what must not grow does not.
@Suite("The statements of measured work", .timeLimit(.minutes(20)))
struct WorkloadStatementTests {
    private static let sizes = [50, 150]
    private let stack: Stack

    init() throws {
        let builder = ModelBuilder()
        let number = NSAttributeType.integer64AttributeType
        builder.entity(
            "Item",
            [
                "a0": number, "a1": number, "a2": number, "a3": number, "a4": number, "a5": number, "a6": number,
                "a7": number, "a8": number, "a9": number,
            ])
        builder.entity("Tag", ["number": .integer64AttributeType])
        builder.entity("Code", ["code": .integer64AttributeType, "value": .integer64AttributeType])
        builder.relationships("Item.tags*", "Tag.items*")
        builder.relationships("Tag.main", "Item.mainOf*")
        builder["Code"].uniquenessConstraints = [["code"]]
        let property = try #require(builder["Item"].attributesByName["a5"])
        builder["Item"].indexes = [
            NSFetchIndexDescription(
                name: "byA5", elements: [NSFetchIndexElementDescription(property: property, collationType: .binary)])
        ]
        stack = try Stack(builder.model)
    }

    private func fill(_ count: Int) throws {
        let context = stack.newContext()
        let items = (0..<count).map { context.insert("Item", ["a0": $0, "a5": $0 * 31 % 97]) }
        for number in 0..<10 {
            context.insert(
                "Tag",
                ["number": number, "main": items[number], "items": NSSet(array: Array(items[number..<number + 20]))])
        }
        try context.save()
    }

    /// How many statements some work takes with as many rows as each of the two sizes.
    private func counts(_ work: (NSManagedObjectContext) throws -> Void) throws -> [Int] {
        try Self.sizes.enumerated().map { number, size in
            try fill(size - (number == 0 ? 0 : Self.sizes[number - 1]))
            let context = stack.newContext()
            return try stack.statementCount { try work(context) }
        }
    }

    @Test("objects with all values read are one statement, faults and counts too")
    func objectsWithAllValuesReadAreOneStatement() throws {
        let full = try counts { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.returnsObjectsAsFaults = false
            for item in try context.fetch(request) {
                for number in 0..<10 { _ = item.value(forKey: "a\(number)") }
            }
        }
        #expect(full == [1, 1])
    }

    @Test("faults without values are one statement") func faultsWithoutValuesAreOneStatement() throws {
        let faults = try counts { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.includesPropertyValues = false
            let found = try context.fetch(request)
            #expect(found.allSatisfy { $0.isFault })
        }
        #expect(faults == [1, 1])
    }

    @Test("a count and dictionaries are one statement each") func countsAndDictionaries() throws {
        let found = try counts { context in
            let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Item")
            request.predicate = NSPredicate(format: "a5 > 3")
            _ = try context.count(for: request)
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["a0", "a1", "a2"]
            _ = try context.fetch(request)
        }
        #expect(found == [2, 2])
    }

    @Test("a save has a statement for each row, and the same few others however many there are")
    func saveHasStatementForEachRow() throws {
        func others(_ change: (NSManagedObjectContext, [NSManagedObject], Int) throws -> Void) throws -> [Int] {
            try Self.sizes.map { size in
                try fill(size)
                let context = stack.newContext()
                let items = Array(try context.all("Item").prefix(size))
                try change(context, items, size)
                return try stack.statementCount { try context.save() } - size
            }
        }
        let inserting = try others { context, _, size in
            for number in 0..<size { context.insert("Item", ["a0": number]) }
        }
        let updating = try others { _, items, size in for item in items { item.setValue(size, forKey: "a1") } }
        #expect(inserting[0] == inserting[1] && inserting[0] <= 5)
        #expect(updating == [2, 2])
    }

    @Test("deleting rows without relationships is a statement for each")
    func deletingRowsWithoutRelationshipsIsStatement() throws {
        let counts = try Self.sizes.map { size in
            let context = stack.newContext()
            for number in 0..<size { context.insert("Code", ["code": number]) }
            try context.save()
            for object in try context.all("Code") { context.delete(object) }
            return try stack.statementCount { try context.save() } - size
        }
        #expect(counts == [2, 2])
    }

    @Test("saving one changed object is a transaction with one statement") func singleSave() throws {
        try fill(50)
        let item = try #require(try stack.context.all("Item").first)
        for number in 0..<3 {
            item.setValue(1_000 + number, forKey: "a0")
            let texts = try stack.statements { try stack.context.save() }
            #expect(texts.count == 3)
            #expect(texts[0].hasPrefix("BEGIN") && texts[1].hasPrefix("UPDATE") && texts[2].hasPrefix("COMMIT"))
        }
    }

    @Test("a batch insertion has a statement for each row, under a constraint too")
    func batchInsertionHasStatementForEachRow() throws {
        func others(_ entity: String, _ key: String) throws -> [Int] {
            try Self.sizes.map { size in
                let request = NSBatchInsertRequest(entityName: entity, objects: (0..<size).map { [key: $0] })
                return try stack.statementCount { try stack.context.execute(request) } - size
            }
        }
        let plain = try others("Item", "a0")
        // The greatest key in the table is asked for once.
        #expect(plain == [5, 4])
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let unique = try others("Code", "code")
        // The second time as many rows as the first size take the place of others.
        #expect(unique == [5, 4 + 3 * Self.sizes[0]])
    }

    @Test("prefetched to-one targets are one statement more, members of a relationship one an owner")
    func prefetchedToOneTargetsAreOneStatementMore() throws {
        let prefetched = try counts { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
            request.relationshipKeyPathsForPrefetching = ["main"]
            for tag in try context.fetch(request) { _ = tag.value(forKeyPath: "main.a0") }
        }
        #expect(prefetched == [2, 2])
        let context = stack.newContext()
        let tags = try context.all("Tag")
        for tag in tags { _ = tag.value(forKey: "number") }
        stack.expectStatements(tags.count) { for tag in tags { _ = (tag.value(forKey: "items") as? NSSet)?.count } }
    }

    @Test("the first page by an index reads the index and sorts nothing") func firstPage() throws {
        try fill(150)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.sortDescriptors = [NSSortDescriptor(key: "a5", ascending: true)]
        request.fetchLimit = 20
        let texts = try stack.statements { _ = try stack.newContext().fetch(request) }
        #expect(texts.count == 1)
        let plan = try stack.rows("EXPLAIN QUERY PLAN \(texts[0])", [.integer(20), .integer(0)]).compactMap {
            $0.last?.text
        }
        #expect(plan.contains { $0.contains("USING INDEX Z_Item_byA5") } && !plan.contains { $0.contains("B-TREE") })
    }
}
