import CoreData
import StoreContract
import Testing

/// Decimals of more digits than a SQLite file keeps: what is read is what is found, compared, grouped and counted.
@Suite struct LongDecimalTests {
    private static let texts = [
        "1234567890123456789012345678901234567", "0.1234567890123456789012345678901234567", "9007199254740993.5",
        "9007199254740993", "2318528.70462022", "7",
    ]

    private func stack(_ kind: StoreKind) throws -> Stack {
        let builder = ModelBuilder()
        builder.entity("Item", ["name": .stringAttributeType, "price": .decimalAttributeType])
        let stack = try Stack(builder.model, kind: kind)
        for text in Self.texts {
            for copy in 0..<2 {
                stack.context.insert("Item", ["name": "\(text) \(copy)", "price": NSDecimalNumber(string: text)])
            }
        }
        try stack.context.save()
        return stack
    }

    @Test("a decimal is found by the value that it is read with (FET-15, MOD-15)", arguments: StoreKind.all)
    func decimalIsFoundByValueThatItIsRead(kind: StoreKind) throws {
        let stack = try stack(kind)
        let context = stack.newContext()
        let items = try context.all("Item")
        for text in Self.texts {
            let kept = try #require(
                items.first { ($0.value(forKey: "name") as? String)?.hasPrefix(text + " ") == true }?
                    .value(forKey: "price") as? NSDecimalNumber)
            for format in ["price == %@", "price IN {%@}", "price BETWEEN {%@, %@}", "price >= %@ AND price <= %@"] {
                let predicate = NSPredicate(format: format, argumentArray: [kept, kept])
                let found = try context.all("Item", predicate).compactMap { $0.value(forKey: "name") as? String }
                #expect(found.sorted() == ["\(text) 0", "\(text) 1"], "\(format) \(text)")
                #expect(items.filter(predicate.evaluate).count == 2, "\(format) \(text) in memory")
            }
            #expect(try context.all("Item", NSPredicate(format: "price != %@", kept)).count == items.count - 2)
        }
    }

    @Test("a decimal is found by the digits of before it was saved (FET-15, MOD-15)", arguments: StoreKind.all)
    func allDigits(kind: StoreKind) throws {
        let stack = try stack(kind)
        let context = stack.newContext()
        let items = try context.all("Item")
        for text in Self.texts {
            let number = NSDecimalNumber(string: text)
            func names(_ format: String) throws -> [String] {
                try context.all("Item", NSPredicate(format: format, argumentArray: [number, number]))
                    .compactMap { $0.value(forKey: "name") as? String }.sorted()
            }
            for format in [
                "price == %@", "price IN {%@}", "price BETWEEN {%@, %@}", "price >= %@ AND price <= %@",
                "NOT price != %@", "NOT (price < %@ OR price > %@)",
            ] {
                #expect(try names(format) == ["\(text) 0", "\(text) 1"], "\(format) \(text)")
            }
            let (less, more) = (try names("price < %@"), try names("price > %@"))
            #expect(try names("price != %@") == (less + more).sorted(), "\(text)")
            #expect(try less == names("NOT price >= %@") && more == names("NOT price <= %@"), "\(text)")
            #expect(less.count + more.count == items.count - 2, "\(text)")
            guard kind.capabilities.contains(.exactDecimals) else { continue }
            #expect(less.count == items.filter(NSPredicate(format: "price < %@", number).evaluate).count, "\(text)")
        }
    }

    @Test("equal decimals of many digits are one group (FET-19)", arguments: StoreKind.all)
    func equalDecimalsOfManyDigitsAreOneGroup(kind: StoreKind) throws {
        let request = NSFetchRequest<NSDictionary>(entityName: "Item")
        request.resultType = .dictionaryResultType
        request.propertiesToGroupBy = ["price"]
        let count = NSExpressionDescription()
        count.name = "count"
        count.expression = NSExpression(forFunction: "count:", arguments: [NSExpression(forKeyPath: "name")])
        count.expressionResultType = .integer64AttributeType
        request.propertiesToFetch = ["price", count]
        request.sortDescriptors = [NSSortDescriptor(key: "price", ascending: true)]
        let rows = try stack(kind).context.fetch(request)
        #expect(rows.map { $0["count"] as? Int } == Self.texts.map { _ in 2 })
    }
}
