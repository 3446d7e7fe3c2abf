import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@testable import CoreDataSQLite

/// Columns that programs beside Core Data have added to its tables.
@Suite struct ForeignColumnTests {
    private func model() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Item", ["title": .stringAttributeType])
        return builder.model
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func reopened(_ statement: String, filled: Bool = true) throws -> Stack {
        let url = folder.url.appendingPathComponent("Items.sqlite")
        let stack = try Stack(model(), url: url)
        if filled { stack.context.insert("Item", ["title": "one"]) }
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
        try SampleStore.tamper(url, statement)
        return try Stack(model(), url: url)
    }

    @Test(
        "a column with a plain default that another program added does not stand in the way of saves (HAZ-10)",
        arguments: [
            "INTEGER DEFAULT 7", "INTEGER NOT NULL DEFAULT 0", "FLOAT DEFAULT -1.5e3",
            "VARCHAR DEFAULT 'CHECK it''s (1)'", "VARCHAR DEFAULT NULL", "INTEGER DEFAULT TRUE",
            "VARCHAR /* CHECK */ DEFAULT ''", "BLOB DEFAULT X'00FF'",
        ])
    func plainDefaults(_ definition: String) throws {
        let stack = try reopened("ALTER TABLE ZITEM ADD COLUMN ZOUTSIDE \(definition)")
        #expect(stack.store.isReadOnly == false)
        stack.context.insert("Item", ["title": "two"])
        try stack.context.save()
        let values = try stack.file.connection.rows("SELECT DISTINCT typeof(ZOUTSIDE), quote(ZOUTSIDE) FROM ZITEM")
        #expect(values.count == 1)
        let problems = try #require((stack.store as? SQLiteStore)?.problems)
        #expect(problems.contains { $0.contains("does not know the column ZOUTSIDE") })
    }

    @Test(
        "a column that SQLite computes makes the store read-only, with the reason by name (HAZ-10)",
        arguments: [
            ("INTEGER DEFAULT (abs(-7))", "default of the column ZOUTSIDE"),
            ("VARCHAR DEFAULT ('a' || 'b')", "default of the column ZOUTSIDE"),
            ("INTEGER CHECK (ZOUTSIDE > 5)", "checks values"),
            ("INTEGER AS (length(ZTITLE)) VIRTUAL", "computes its column ZOUTSIDE"),
        ])
    func computed(_ definition: String, _ reason: String) throws {
        let stack = try reopened("ALTER TABLE ZITEM ADD COLUMN ZOUTSIDE \(definition)", filled: false)
        #expect(stack.store.isReadOnly)
        let problems = try #require((stack.store as? SQLiteStore)?.problems)
        #expect(problems.contains { $0.contains(reason) }, "\(problems)")
    }
}
