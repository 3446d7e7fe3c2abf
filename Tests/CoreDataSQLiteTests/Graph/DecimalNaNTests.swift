import CoreData
import StoreContract
import Testing

/// The decimal that is no number: a value that is stored and found, the same as itself and in no order with numbers.
@Suite struct DecimalNaNTests {
    private static let formats = [
        "decimal == %@", "decimal != %@", "decimal < %@", "decimal <= %@", "decimal > %@", "decimal >= %@",
        "%@ < decimal", "%@ >= decimal", "NOT decimal > %@", "decimal IN {%@}", "decimal BETWEEN {%@, 9}",
        "decimal + 0 == %@", "abs:(decimal) >= %@",
    ]
    private static let plain = [
        "decimal == decimal", "decimal <= decimal", "decimal < decimal", "decimal > int16", "decimal >= int16",
        "decimal < int16", "decimal != int16", "decimal == nil", "decimal != nil", "decimal > double",
    ]

    private func stack(_ kind: StoreKind) throws -> Stack {
        let stack = try Stack(AttributeSample.model(), kind: kind)
        let texts: [String?] = ["NaN", "-1", "0", "2.5", nil, "NaN", "7"]
        for (number, text) in texts.enumerated() {
            let values: [String: Any?] = [
                "number": number, "decimal": text.map { NSDecimalNumber(string: $0) }, "int16": 1, "double": 0.5,
            ]
            stack.context.insert("Sample", values)
        }
        try stack.context.save()
        return stack
    }

    private func numbers(_ stack: Stack, _ predicate: NSPredicate?, _ sorts: [NSSortDescriptor]) throws -> [Int] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Sample")
        request.predicate = predicate
        request.sortDescriptors = sorts + [NSSortDescriptor(key: "number", ascending: true)]
        return try stack.context.fetch(request).compactMap { $0.value(forKey: "number") as? Int }
    }

    @Test("the decimal NaN is found alike in memory and in SQLite (MOD-15)")
    func decimalNaNIsFoundAlikeInMemoryAndInSQLite() throws {
        let (memory, file) = (try stack(.inMemory), try stack(.sqlite))
        for constant in [NSDecimalNumber.notANumber, 0, NSDecimalNumber(string: "2.5")] {
            for format in Self.formats {
                let predicate = NSPredicate(format: format, constant)
                let found = try numbers(file, predicate, [])
                #expect(try numbers(memory, predicate, []) == found, "\(format) \(constant)")
            }
        }
        for format in Self.plain {
            let predicate = NSPredicate(format: format)
            #expect(try numbers(memory, predicate, []) == numbers(file, predicate, []), "\(format)")
        }
        let isNaN = NSPredicate(format: "decimal == %@", NSDecimalNumber.notANumber)
        #expect(try numbers(file, isNaN, []) == [0, 5])
        #expect(try numbers(file, NSPredicate(format: "decimal > 0"), []) == [3, 6])
    }

    @Test("the decimal NaN sorts after all numbers, in memory as in SQLite (MOD-15)")
    func decimalNaNSortsAfterAllNumbers() throws {
        for kind in [StoreKind.inMemory, .sqlite] {
            let stack = try stack(kind)
            let up = NSSortDescriptor(key: "decimal", ascending: true)
            let down = NSSortDescriptor(key: "decimal", ascending: false)
            #expect(try numbers(stack, nil, [up]) == [4, 1, 2, 3, 6, 0, 5], "\(kind)")
            #expect(try numbers(stack, nil, [down]) == [0, 5, 6, 3, 2, 1, 4], "\(kind)")
        }
    }

    @Test(
        "greatest, sum and average with a decimal NaN (MOD-15)",
        arguments: ["max", "sum", "average"])
    func greatestSumAndAverageWithDecimalNaN(_ function: String) throws {
        let results = try [StoreKind.inMemory, .sqlite].map { kind in
            let request = NSFetchRequest<NSDictionary>(entityName: "Sample")
            request.resultType = .dictionaryResultType
            let description = NSExpressionDescription()
            description.name = "result"
            description.expression = NSExpression(
                forFunction: "\(function):", arguments: [NSExpression(forKeyPath: "decimal")])
            description.expressionResultType = .decimalAttributeType
            request.propertiesToFetch = [description]
            let value = try stack(kind).context.fetch(request).first?["result"]
            return (value as? NSNumber)?.stringValue ?? "nil"
        }
        #expect(results[0] == results[1], "\(results)")
    }
}
