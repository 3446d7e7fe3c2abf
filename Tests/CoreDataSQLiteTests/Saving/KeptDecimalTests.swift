import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@testable import CoreDataSQLite

/// Decimals of more digits than a file keeps: however they get there, they are rounded once, and found by both.
@Suite struct KeptDecimalTests {
    private static let long = NSDecimalNumber(string: "0.1234567890123456789012345678901234567")
    private static let kept = NSDecimalNumber(string: "0.123456789012346")
    private let stack: Stack
    private var context: NSManagedObjectContext { stack.context }

    init() throws { stack = try Stack(Self.model()) }

    private static func model(unique: Bool = false) -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Total", ["name": .stringAttributeType])
        builder.entity(
            "Item",
            ["name": .stringAttributeType, "price": .decimalAttributeType, "standard": .decimalAttributeType])
        builder.attribute("Item.standard").defaultValue = long
        builder.relationships("Total.items*", "Item.total")
        builder.derived("Total.sum", .decimalAttributeType, "items.@sum.price")
        let element = NSAttributeDescription()
        (element.name, element.attributeType) = ("amount", .decimalAttributeType)
        let money = NSCompositeAttributeDescription()
        (money.name, money.isOptional, money.elements) = ("money", true, [element])
        builder["Item"].properties.append(money)
        if unique { builder["Item"].uniquenessConstraints = [["price"]] }
        return builder.model
    }

    /// How many objects other contexts find by both forms of the number, and both are the same ones.
    private func found(_ key: String, _ long: NSDecimalNumber = long, _ kept: NSDecimalNumber = kept) throws -> Int? {
        let fresh = stack.newContext()
        let byLong = try fresh.all("Item", NSPredicate(format: "%K == %@", key, long))
        let byKept = try fresh.all("Item", NSPredicate(format: "%K == %@", key, kept))
        guard byLong == byKept, byLong.allSatisfy({ $0.value(forKeyPath: key) as? NSDecimalNumber == kept }) else {
            return nil
        }
        return byLong.count
    }

    @Test(
        "integers of 64 bits keep every digit, of other numbers 15 are kept (MOD-15)",
        arguments: [
            ("9007199254740993", "9007199254740993"), ("-9223372036854775808", "-9223372036854775808"),
            ("9223372036854775808", "9223372036854780000"), ("9007199254740993.5", "9007199254740990"),
            ("1234567890123456789012345678901234567", "1234567890123460000000000000000000000"),
            ("0.99999999999999999999", "1"), ("0.1234567890123455", "0.123456789012346"),
            ("-0.1234567890123455", "-0.123456789012346"), ("0.1", "0.1"), ("-1e-128", "-1e-128"),
            ("12345678901234500000", "12345678901234500000"), ("NaN", "NaN"),
        ])
    func integersOf64BitsKeepEveryDigit(text: String, expected: String) throws {
        let (number, kept) = (NSDecimalNumber(string: text), NSDecimalNumber(string: expected))
        let item = context.insert("Item", ["price": number])
        try context.save()
        // What is read does not depend on who has saved it.
        #expect(item.value(forKey: "price") as? NSDecimalNumber == kept)
        #expect(try found("price", number, kept) == 1)
        let rounded = KeptDecimal.rounded(number.decimalValue)
        #expect(rounded == kept.decimalValue || rounded.isNaN && text == "NaN")
        #expect(KeptDecimal.rounded(kept.decimalValue).description == kept.decimalValue.description)
    }

    @Test("a number of 15 digits is the same binary fraction in a row and in a question (MOD-15)")
    func numberOf15DigitsIsSameBinaryFractionInRowAndInQuestion() throws {
        var numbers: [NSDecimalNumber] = []
        var random = SeededRandom(seed: 20)
        for number in 0..<500 {
            let digits = Int64.random(in: 100_000_000_000_000..<1_000_000_000_000_000, using: &random)
            numbers.append(NSDecimalNumber(string: "\(digits)e\(Int.random(in: -40...20, using: &random))"))
            context.insert("Item", ["name": "\(number)", "price": numbers[number]])
        }
        try context.save()
        let items = try stack.newContext().all("Item", NSPredicate(format: "price IN %@", numbers))
        #expect(items.count == numbers.count)
        for (number, price) in numbers.enumerated() {
            let found = try stack.newContext().all("Item", NSPredicate(format: "price == %@", price))
            #expect(found.contains { $0.value(forKey: "name") as? String == "\(number)" }, "\(price)")
        }
    }

    @Test("saves, their changes, defaults and elements of composites are rounded (MOD-15)")
    func savesTheirChangesDefaultsAndElementsOfCompositesAreRounded() throws {
        let item = context.insert("Item", ["name": "a", "money": ["amount": Self.long]])
        try context.save()
        #expect(try found("standard") == 1)
        #expect(try found("money.amount") == 1)
        item.setValue(Self.long, forKey: "price")
        try context.save()
        #expect(try found("price") == 1)
        #expect(item.value(forKey: "price") as? NSDecimalNumber == Self.kept)
        // The same digits again are no change of the row.
        item.setValue(Self.long, forKey: "price")
        try context.save()
        #expect(try stack.rows("SELECT typeof(ZPRICE), Z_OPT FROM ZITEM") == [["real", 2]])
        #expect(try stack.another().context.all("Item", NSPredicate(format: "price == %@", Self.long)).count == 1)
    }

    @Test("batches write rounded numbers, given and computed (MOD-15, CTX-36)")
    func batchesWriteRoundedNumbers() throws {
        let insertion = NSBatchInsertRequest(entityName: "Item", objects: [["name": "a", "price": Self.long], [:]])
        try context.execute(insertion)
        #expect(try found("price") == 1)
        #expect(try found("standard") == 2)
        let update = NSBatchUpdateRequest(entityName: "Item")
        update.propertiesToUpdate = ["price": Self.long]
        try context.execute(update)
        #expect(try found("price") == 2)
        update.propertiesToUpdate = ["price": NSExpression(format: "standard / 81")]
        try context.execute(update)
        let computed = try #require(
            try stack.newContext().all("Item").first?.value(forKey: "price") as? NSDecimalNumber)
        #expect(KeptDecimal.rounded(computed.decimalValue) == computed.decimalValue)
        #expect(try stack.newContext().all("Item", NSPredicate(format: "price == %@", computed)).count == 2)
    }

    @Test("a derived sum is rounded (MOD-15)")
    func derivedSumIsRounded() throws {
        let total = context.insert("Total", ["name": "t"])
        for text in ["1000000000000", "0.00001234"] {
            context.insert("Item", ["price": NSDecimalNumber(string: text), "total": total])
        }
        try context.save()
        let sum = NSDecimalNumber(string: "1000000000000.00001234")
        let fresh = stack.newContext()
        let read = try #require(try fresh.all("Total")[0].value(forKey: "sum") as? NSDecimalNumber)
        #expect(read == NSDecimalNumber(string: "1000000000000"))
        for number in [sum, read] {
            #expect(try fresh.all("Total", NSPredicate(format: "sum == %@", number)).count == 1)
        }
    }

    @Test("a copy of a store that keeps all digits is rounded (MOD-15, STO-27)")
    func copyOfStoreThatKeepsAllDigitsIsRounded() throws {
        let memory = try Stack(Self.model(), kind: .inMemory)
        memory.context.insert("Item", ["name": "a", "price": Self.long, "money": ["amount": Self.long]])
        try memory.context.save()
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Copy.sqlite")
        try memory.coordinator.migratePersistentStore(memory.store, to: url, type: .sqlite)
        let copy = try Stack(Self.model(), url: url)
        for key in ["price", "standard", "money.amount"] {
            for number in [Self.long, Self.kept] {
                let found = try copy.context.all("Item", NSPredicate(format: "%K == %@", key, number))
                #expect(found.count == 1, "\(key)")
                #expect(found.first?.value(forKeyPath: key) as? NSDecimalNumber == Self.kept, "\(key)")
            }
        }
    }

    @Test("numbers that are kept alike are not unique (MOD-15)")
    func numbersThatAreKeptAlikeAreNotUnique() throws {
        let stack = try Stack(Self.model(unique: true))
        stack.context.insert("Item", ["name": "a", "price": Self.long])
        try stack.context.save()
        let second = stack.context.insert("Item", ["name": "b", "price": Self.kept])
        #expect(code { try stack.context.save() } == NSManagedObjectConstraintMergeError)
        second.setValue(NSDecimalNumber(string: "0.12345678901234612"), forKey: "price")
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        let conflicts = error?.userInfo["conflictList"] as? [NSConstraintConflict]
        #expect(conflicts?.first?.databaseObject?.value(forKey: "name") as? String == "a")
        second.setValue(NSDecimalNumber(string: "0.123456789012347"), forKey: "price")
        try stack.context.save()
    }
}
