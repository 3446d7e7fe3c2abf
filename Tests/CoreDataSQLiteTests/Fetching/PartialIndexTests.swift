import CoreData
import SQLiteKit
import StoreContract
import Testing

@testable import CoreDataSQLite

/// Fetch indexes that have some rows of their table.
@Suite struct PartialIndexTests {
    private func model() throws -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Asset",
            [
                "name": .stringAttributeType, "isFavorite": .booleanAttributeType,
                "date": .dateAttributeType, "kind": .integer16AttributeType,
            ])
        let name = try #require(builder["Asset"].propertiesByName["name"])
        let favorites = NSFetchIndexDescription(
            name: "favorites", elements: [NSFetchIndexElementDescription(property: name, collationType: .binary)])
        favorites.partialIndexPredicate = NSPredicate(format: "isFavorite == YES")
        builder["Asset"].indexes = [favorites]
        return builder.model
    }

    private func plan(_ stack: Stack, _ predicate: NSPredicate) throws -> [String] {
        let store = try #require(stack.store as? SQLiteStore)
        let layout = try #require(ModelLayout.of(stack.model).layout(named: "Asset"))
        let query = FetchQuery(
            binding: store.binding(for: layout), predicate: predicate, sortDescriptors: [], limit: 0)
        return try store.withBackend { try $0.explain(query, candidates: [], greatestCopy: 1 << 30) }
            .explanation.planLines
    }

    @Test("a partial index is made as the model says, and asked where a query says as much (STO-19)")
    func partialIndexIsMadeAsModelSays() throws {
        let stack = try Stack(try model(), kind: .sqlite)
        for number in 0..<200 {
            stack.context.insert("Asset", ["name": "\(number % 50)", "isFavorite": number % 10 == 0, "kind": 1])
        }
        stack.context.insert("Asset", ["name": "0"])
        try stack.context.save()
        let file = try Connection.open(stack.url.path)
        let made = try file.catalog().indexes.map(\.sql)
        #expect(
            made.contains("CREATE INDEX Z_Asset_favorites ON ZASSET (ZNAME COLLATE BINARY ASC) WHERE ZISFAVORITE = 1"))
        let asking = NSPredicate(format: "isFavorite == YES AND name == '0'")
        #expect(try plan(stack, asking).contains { $0.contains("Z_Asset_favorites") })
        #expect(try stack.context.all("Asset", asking).count == 4)
        let others = NSPredicate(format: "name == '0'")
        #expect(try !plan(stack, others).contains { $0.contains("Z_Asset_favorites") })
        #expect(try stack.context.all("Asset", others).count == 5)
        try #require(try stack.context.all("Asset", asking).first).setValue(false, forKey: "isFavorite")
        try stack.context.save()
        #expect(try stack.newContext().all("Asset", asking).count == 3)
    }
}
