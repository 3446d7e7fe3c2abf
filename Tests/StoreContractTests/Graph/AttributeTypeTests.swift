import CoreData
import StoreContract
import Testing

@Suite struct AttributeTypeTests {
    /// The value that another context reads after it was set in one and saved.
    private func reread(_ kind: StoreKind, _ key: String, _ value: Any?) throws -> Any? {
        let stack = try Stack(SampleModel.make(), kind: kind)
        stack.context.insert("Sample", [key: value])
        try stack.context.save()
        let again = try stack.reopened()
        return try again.context.all("Sample").first?.value(forKey: key)
    }

    @Test(
        "numbers beyond the range are refused by entity, key and range (MOD-14)",
        arguments: StoreKind.all,
        [
            ("int16", NSNumber(value: 32768)), ("int16", NSNumber(value: -32769)),
            ("int32", NSNumber(value: 2_147_483_648)),
            ("int64", NSNumber(value: 1e19)), ("int64", NSNumber(value: -1e300)),
            ("int64", NSNumber(value: UInt64.max)),
            ("int32", NSNumber(value: Double.nan)), ("int32", NSNumber(value: Double.infinity)),
        ])
    func numbersBeyondRangeAreRefused(kind: StoreKind, number: (key: String, value: NSNumber)) throws {
        let (key, value) = number
        let stack = try Stack(SampleModel.make(), kind: kind)
        let object = stack.context.insert("Sample")
        let error = #expect(throws: ValueRejection.self) { try object.setCodedValue(value, forKey: key) }
        #expect(error?.code == .outOfRange && error?.entity == "Sample" && error?.key == key)
        #expect(object.value(forKey: key) == nil)
    }

    @Test("typed properties of every type agree with access by key (KVC-05)", arguments: StoreKind.all)
    func typedPropertiesAgreeWithKeys(kind: StoreKind) throws {
        let stack = try Stack(SampleModel.make(), kind: kind)
        let sample = Sample(context: stack.context)
        #expect(sample.int16 == 0 && sample.double == 0 && !sample.flag && sample.string == nil && sample.number == nil)
        let uuid = UUID()
        sample.int16 = -3
        sample.int32 = 70_000
        sample.int = .min
        sample.decimal = NSDecimalNumber(string: "1.25")
        sample.double = 2.5
        sample.float = 0.1
        sample.string = "x"
        sample.flag = true
        sample.date = Date(timeIntervalSinceReferenceDate: 5)
        sample.data = Data([1])
        sample.uuid = uuid
        sample.uri = URL(string: "a:b")
        for _ in 0..<2 {
            #expect(sample.value(forKey: "int16") as? Int == -3)
            #expect(sample.value(forKey: "int32") as? Int32 == 70_000)
            #expect(sample.int64 == .min && sample.number == NSNumber(value: Int64.min))
            #expect(sample.plainDecimal == Decimal(string: "1.25"))
            #expect(sample.value(forKey: "decimal") as? NSDecimalNumber == sample.decimal)
            #expect(sample.value(forKey: "double") as? Double == 2.5)
            #expect(sample.float == 0.1 && sample.string == "x" && sample.flag)
            #expect(sample.value(forKey: "float") as? Float == 0.1)
            #expect(sample.value(forKey: "date") as? Date == sample.date)
            #expect(sample.data == Data([1]) && sample.uuid == uuid && sample.uri?.absoluteString == "a:b")
            try stack.context.save()
            stack.context.refresh(sample, mergeChanges: false)
        }
        sample.string = nil
        sample.date = nil
        sample.number = nil
        sample.plainDecimal = nil
        sample.uuid = nil
        #expect(["string", "date", "int64", "decimal", "uuid"].allSatisfy { sample.value(forKey: $0) == nil })
    }

    @Test("0.1 + 0.2 is 0.3 (MOD-15)", arguments: StoreKind.all)
    func decimalSumIsExact(kind: StoreKind) throws {
        let sum = try #require(Decimal(string: "0.1")) + #require(Decimal(string: "0.2"))
        #expect(try (reread(kind, "decimal", sum) as? NSDecimalNumber)?.stringValue == "0.3")
    }

    @Test("Swift values are archived like Foundation's (MOD-22)", arguments: StoreKind.all)
    func swiftValuesAreArchived(kind: StoreKind) throws {
        #expect(try reread(kind, "archived", ["a", "b"]) as? [String] == ["a", "b"])
        #expect(try reread(kind, "archived", "text") as? String == "text")
        #expect(try reread(kind, "archived", ["k": 1]) as? [String: Int] == ["k": 1])
    }
}
