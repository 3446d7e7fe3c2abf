import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

/// A store in which values stand twice that the model has once only.
@Suite("Values that are not unique in the file")
struct DuplicateValueTests {
    private let url: URL

    /// Two items with the code `x`, as a program that knows nothing of constraints leaves them; the index is gone.
    init() throws {
        url = try Fixtures.temporaryFolder().appendingPathComponent("Items.sqlite")
        let stack = try Self.stack(url)
        for (code, title) in [("x", "first"), ("y", "second"), ("z", "third")] {
            stack.context.insert("Item", ["code": code, "title": title])
        }
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
        let connection = try Connection.open(url.path)
        for row in try connection.rows("SELECT name FROM sqlite_master WHERE type = 'index' AND sql LIKE '%UNIQUE%'") {
            try connection.executeScript("DROP INDEX \"\(row[0].text ?? "")\"")
        }
        try connection.executeScript("UPDATE ZITEM SET ZCODE = 'x' WHERE ZTITLE = 'second'")
    }

    private static func stack(_ url: URL) throws -> Stack {
        let builder = ModelBuilder()
        builder.entity("Item", ["code": .stringAttributeType, "title": .stringAttributeType])
        builder["Item"].uniquenessConstraints = [["code"]]
        return try Stack(builder.model, url: url)
    }

    @Test("a store with values twice under a constraint opens, and all rows are read (HAZ-31)")
    func storeOpens() throws {
        let stack = try Self.stack(url)
        #expect(try stack.context.all("Item").count == 3)
        #expect(try stack.context.all("Item", NSPredicate(format: "code == 'x'")).count == 2)
    }

    @Test("a write that touches a value that stands twice is a constraint conflict, and others are saved (HAZ-31)")
    func writesThatTouchThem() throws {
        let stack = try Self.stack(url)
        let third = try #require(try stack.context.all("Item", NSPredicate(format: "title == 'third'")).first)
        third.setValue("w", forKey: "code")
        try stack.context.save()

        let inserted = stack.context.insert("Item", ["code": "x", "title": "fourth"])
        let error = expectError(NSManagedObjectConstraintMergeError) { try stack.context.save() }
        let conflicts = error?.userInfo["conflictList"] as? [NSConstraintConflict]
        #expect(conflicts?.first?.constraint == ["code"])
        stack.context.delete(inserted)
        try stack.context.save()

        let first = try #require(try stack.context.all("Item", NSPredicate(format: "title == 'first'")).first)
        first.setValue("first!", forKey: "title")
        try stack.context.save()
        third.setValue("x", forKey: "code")
        expectError(NSManagedObjectConstraintMergeError) { try stack.context.save() }
        stack.context.rollback()
        let again = try Self.stack(url)
        #expect(try again.context.all("Item").count == 3)
    }

    @Test("the values are repaired by giving one of the rows another (HAZ-31)")
    func duplicateIsRepaired() throws {
        let stack = try Self.stack(url)
        let second = try #require(try stack.context.all("Item", NSPredicate(format: "title == 'second'")).first)
        second.setValue("y", forKey: "code")
        try stack.context.save()
        let again = try Self.stack(url)
        let codes = try again.context.all("Item").compactMap { $0.value(forKey: "code") as? String }
        #expect(codes.sorted() == ["x", "y", "z"])
    }
}
