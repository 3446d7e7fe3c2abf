import CoreDataFoundation
import Testing

/// Archives of plain values, as transformers write and read them.
@Suite struct PlainValueArchiveTests {
    private let transformer = NSSecureUnarchiveFromDataTransformer()

    /// A value written and read again.
    private func copy(_ value: Any) -> Any? { transformer.transformedValue(transformer.reverseTransformedValue(value)) }

    /// Whether a number is a truth value.
    private func isTruth(_ value: Any?) -> Bool {
        guard let number = value as? NSNumber else { return false }
        return number === NSNumber(value: true) || number === NSNumber(value: false)
    }

    @Test("equal values of different kinds come back as what they were, in whatever order they stand (MOD-23)")
    func equalValuesOfDifferentKindsComeBack() throws {
        for values: [Any] in [[true, 1, 1.0], [1, true, 0, false], [1.5, 1, true]] {
            let read = try #require(copy(values) as? [Any])
            #expect(read.map(isTruth) == values.map { $0 is Bool && isTruth($0) })
            #expect(
                read.compactMap { ($0 as? NSNumber)?.doubleValue }
                    == values.compactMap { ($0 as? NSNumber)?.doubleValue })
        }
        let pairs = try #require(copy(["flag": true, "count": 1] as [String: Any]) as? [String: Any])
        #expect(isTruth(pairs["flag"]) && !isTruth(pairs["count"]))
    }

    @Test("decimal numbers are archived alone and in collections, and read as what they were (MOD-23)")
    func decimalNumbersAreArchivedAloneAndInCollections()
        throws
    {
        let price = NSDecimalNumber(string: "1234567890.123456789")
        #expect(copy(price) as? NSDecimalNumber == price)
        let values = try #require(copy(["price": price, "list": [price, 1, "a"]] as [String: Any]) as? [String: Any])
        #expect((values["price"] as? NSDecimalNumber)?.stringValue == "1234567890.123456789")
        #expect((values["list"] as? [Any])?.count == 3)
    }

    @Test("plain values of all classes come back equal (MOD-23)") func plainValuesOfAllClassesComeBackEqual() throws {
        let values: [Any] = [
            "text", "", Data([1, 2]), Date(timeIntervalSinceReferenceDate: 0.5), UUID(),
            URL(string: "https://example.org/a") as Any, NSNull(), Int64.min, UInt64.max, [[1], ["a": 2.5]],
            Set([1, 2]) as Any,
        ]
        let read = try #require(copy(values) as? NSArray)
        #expect(read.isEqual(values as NSArray))
    }

    @Test("a decimal number among objects of other classes is refused, not the end of the process (MOD-23)")
    func decimalNumberAmongObjectsOfOtherClassesIsRefused() {
        #expect(throws: ArchiveError.self) {
            try PlainValueArchive.data(of: [NSDecimalNumber.one, NSObject()])
        }
        #expect(transformer.reverseTransformedValue([NSDecimalNumber.one, NSObject()]) == nil)
    }
}
