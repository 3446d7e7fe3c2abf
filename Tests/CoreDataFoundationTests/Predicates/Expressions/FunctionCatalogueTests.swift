import CoreDataFoundation
import Testing

/// Every predefined function by its full name, with a value worked out by hand.
struct FunctionCatalogueTests {
    @Test("every function of the catalogue has its value (PRD-27)", arguments: values)
    func functionHasItsValue(name: String, arguments: [(any Sendable)?], expected: String) throws {
        let expression = NSExpression(
            forFunction: name, arguments: arguments.map { NSExpression(forConstantValue: $0) })
        let result = try expression.value(on: nil)
        #expect(result.map { "\($0)" } ?? "nil" == expected)
        #expect(try NSExpression(parsing: expression.formatString) == expression)
    }

    @Test("the table of values leaves no function out (PRD-27)")
    func tableIsComplete() {
        let unpredictable: Set = ["now", "random", "random:"]
        let shown = Set(Self.values.map(\.0)).union(unpredictable)
        #expect(shown == Set(ExpressionFunction.allCases.map(\.rawValue)))
    }

    @Test("random numbers stay in their range and differ (PRD-27)")
    func randomNumbersStayInRange() throws {
        let fractions = try (0..<200).map { _ in try #require(value("random()") as? Double) }
        #expect(fractions.allSatisfy { (0..<1).contains($0) } && Set(fractions).count > 100)
        let whole = try (0..<500).map { _ in try #require(value("random(3)") as? Int) }
        #expect(Set(whole) == [0, 1, 2])
        #expect(try value("random(0)") == nil)
        #expect(try value("random(nil)") == nil)
        #expect(try value("random(9e99)") == nil)
    }

    @Test("now is the time of the evaluation (PRD-27)")
    func nowIsTheTime() throws {
        let before = Date()
        let now = try #require(value("now()") as? Date)
        #expect(before <= now && now <= Date())
    }

    @Test("casts turn values into other types and keep those that fit (PRD-27)")
    func castsConvert() throws {
        let date = Date(timeIntervalSinceReferenceDate: 90)
        let uuid = UUID()
        let object: [String: Any] = ["date": date, "uuid": uuid, "text": "12.5", "number": 7]
        #expect(try value("CAST(date, 'NSNumber')", on: object) as? Double == 90)
        #expect(try value("CAST(date, 'NSDate')", on: object) as? Date == date)
        #expect(try value("CAST(number, 'NSDate')", on: object) as? Date == Date(timeIntervalSinceReferenceDate: 7))
        #expect(try value("CAST(uuid, 'NSString')", on: object) as? String == uuid.uuidString)
        #expect(try value("CAST(CAST(uuid, 'NSString'), 'NSUUID')", on: object) as? UUID == uuid)
        #expect(try value("CAST(text, 'NSNumber') * 2", on: object) as? Double == 25)
        #expect(try value("CAST(text, 'NSDecimalNumber')", on: object) as? Decimal == Decimal(string: "12.5"))
        #expect(try value("CAST(text, 'NSUUID')", on: object) == nil)
        #expect(try value("CAST(missing, 'NSString')", on: object) == nil)
    }

    @Test(
        "arguments of the wrong type are errors (PRD-27)",
        arguments: [
            "distinct(5)", "random('x')", "objectFrom:withIndex:(5, 0)", "objectFrom:withIndex:({1}, 'x')",
            "castObject:toType:(1, 'NSTask')", "castObject:toType:(1, 2)", "dayOfDate(5)",
        ])
    func wrongTypesAreErrors(text: String) {
        #expect(throws: ExpressionError.self) { try value(text) }
    }
}

extension FunctionCatalogueTests {
    private static func constants(_ values: (any Sendable)?...) -> [(any Sendable)?] {
        values
    }

    static let values: [(String, [(any Sendable)?], String)] = aggregations + arithmetic + bits + others

    private static let aggregations: [(String, [(any Sendable)?], String)] = [
        ("sum:", constants([1, 2, 3]), "6"), ("average:", constants([1, 2, 3, 6]), "3.0"),
        ("count:", constants(["a", "b"]), "2"), ("min:", constants([3, -1, 2]), "-1"),
        ("max:", constants([3, -1, 2]), "3"), ("median:", constants([9, 1, 2, 4]), "3.0"),
        ("mode:", constants([1, 2, 2]), "[2]"), ("stddev:", constants([2, 4, 4, 4, 5, 5, 7, 9]), "2.0"),
        ("distinct:", constants([2, 1, 2, 1]), "[2, 1]"),
    ]

    private static let arithmetic: [(String, [(any Sendable)?], String)] = [
        ("add:to:", constants(5, 3), "8"), ("from:subtract:", constants(5, 3), "2"),
        ("multiply:by:", constants(5, 3), "15"), ("divide:by:", constants(5, 2), "2"),
        ("divide:by:", constants(5.0, 2), "2.5"), ("modulus:by:", constants(5, 3), "2"),
        ("sqrt:", constants(6.25), "2.5"),
        ("log:", constants(1000), "3.0"), ("ln:", constants(1), "0.0"), ("raise:toPower:", constants(2, 5), "32.0"),
        ("exp:", constants(0), "1.0"), ("floor:", constants(-1.2), "-2.0"), ("ceiling:", constants(-1.2), "-1.0"),
        ("abs:", constants(-3), "3"), ("trunc:", constants(-1.7), "-1.0"), ("add:to:", constants(nil, 3), "nil"),
    ]

    private static let bits: [(String, [(any Sendable)?], String)] = [
        ("bitwiseAnd:with:", constants(12, 10), "8"), ("bitwiseOr:with:", constants(12, 10), "14"),
        ("bitwiseXor:with:", constants(12, 10), "6"), ("onesComplement:", constants(5), "-6"),
        ("leftshift:by:", constants(3, 2), "12"), ("rightshift:by:", constants(12, 2), "3"),
    ]

    private static let others: [(String, [(any Sendable)?], String)] = [
        ("uppercase:", constants("straße"), "STRASSE"), ("lowercase:", constants("ÀB"), "àb"),
        ("occurrencesOfWords:in:", ["Data swift", "Swift and DATA, data"], "3"),
        ("rankOfWords:in:", ["Data", "data"], "1680672"),
        ("length:", constants("abc"), "3"), ("canonical:", constants("Élan"), "elan"),
        ("noindex:", constants("x"), "x"), ("dayOfDate:", [Date(timeIntervalSinceReferenceDate: -0.5)], "-1"),
        ("castObject:toType:", constants("5", "NSNumber"), "5.0"),
        ("castObject:toType:", constants(5, "NSString"), "5"),
        ("objectFrom:withIndex:", constants([4, 5, 6], 1), "5"), ("objectFrom:withIndex:", constants([4], 9), "nil"),
    ]
}
