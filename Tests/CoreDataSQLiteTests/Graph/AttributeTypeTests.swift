import CoreData
import CoreDataTestSupport
import SQLiteKit
import Testing

/// An entity with one attribute of each type, by the names of the types.
enum SampleModel {
    static func make() -> NSManagedObjectModel {
        let draft = ModelDraft()
        draft.entity(
            "Sample", class: "CoreDataSQLiteTests.Sample",
            [
                "int16": .integer16AttributeType, "int32": .integer32AttributeType, "int64": .integer64AttributeType,
                "decimal": .decimalAttributeType, "double": .doubleAttributeType, "float": .floatAttributeType,
                "string": .stringAttributeType, "flag": .booleanAttributeType, "date": .dateAttributeType,
                "data": .binaryDataAttributeType, "large": .binaryDataAttributeType, "uuid": .UUIDAttributeType,
                "uri": .URIAttributeType, "archived": .transformableAttributeType, "color": .transformableAttributeType,
                "secured": .transformableAttributeType, "scratch": .undefinedAttributeType,
            ])
        draft.attribute("Sample.large").allowsExternalBinaryDataStorage = true
        draft.attribute("Sample.color").valueTransformerName = "TestColorTransformer"
        draft.attribute("Sample.secured").valueTransformerName = "TestListTransformer"
        draft.attribute("Sample.scratch").isTransient = true
        ValueTransformer.setValueTransformer(ColorTransformer(), forName: .init("TestColorTransformer"))
        ValueTransformer.setValueTransformer(ListTransformer(), forName: .init("TestListTransformer"))
        return draft.model
    }
}

/// Strings as their UTF-16 bytes: any bytes of one's own.
final class ColorTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSData.self }
    override class func allowsReverseTransformation() -> Bool { true }
    override func transformedValue(_ value: Any?) -> Any? {
        (value as? [Double]).map { Data($0.map { String(format: "%f", $0) }.joined(separator: ",").utf8) }
    }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { String(decoding: $0, as: UTF8.self).split(separator: ",").compactMap { Double($0) } }
    }
}

final class ListTransformer: NSSecureUnarchiveFromDataTransformer {
    override class var allowedTopLevelClasses: [AnyClass] { [NSArray.self] }
}

final class Sample: NSManagedObject {
    override class var propertyTable: PropertyTable { table }
    private static let table = PropertyTable(
        [
            "int16", "int32", "int64", "decimal", "double", "float", "string", "flag", "date", "data", "uuid", "uri",
        ].map { .stored($0) })

    var int16: Int16 {
        get { attribute(0) }
        set { setAttribute(0, newValue) }
    }
    var int32: Int32 {
        get { attribute(1) }
        set { setAttribute(1, newValue) }
    }
    var int64: Int64 {
        get { attribute(2) }
        set { setAttribute(2, newValue) }
    }
    var int: Int {
        get { attribute(2) }
        set { setAttribute(2, newValue) }
    }
    var wrongInt: Int {
        get { attribute(0) }
        set { setAttribute(0, newValue) }
    }
    var number: NSNumber? {
        get { attribute(2) }
        set { setAttribute(2, newValue) }
    }
    var decimal: NSDecimalNumber? {
        get { attribute(3) }
        set { setAttribute(3, newValue) }
    }
    var plainDecimal: Decimal? {
        get { attribute(3) }
        set { setAttribute(3, newValue) }
    }
    var double: Double {
        get { attribute(4) }
        set { setAttribute(4, newValue) }
    }
    var float: Float {
        get { attribute(5) }
        set { setAttribute(5, newValue) }
    }
    var string: String? {
        get { attribute(6) }
        set { setAttribute(6, newValue) }
    }
    var flag: Bool {
        get { attribute(7) }
        set { setAttribute(7, newValue) }
    }
    var date: Date? {
        get { attribute(8) }
        set { setAttribute(8, newValue) }
    }
    var data: Data? {
        get { attribute(9) }
        set { setAttribute(9, newValue) }
    }
    var uuid: UUID? {
        get { attribute(10) }
        set { setAttribute(10, newValue) }
    }
    var uri: URL? {
        get { attribute(11) }
        set { setAttribute(11, newValue) }
    }
}

@Suite struct AttributeTypeTests {
    let stack: Stack
    init() throws { stack = try Stack(SampleModel.make()) }

    /// The value that another coordinator reads after it was set here and saved.
    private func reread(_ key: String, _ value: Any?) throws -> Any? {
        let object = stack.context.insert("Sample", [key: value])
        try stack.context.save()
        let here = object.value(forKey: key)
        let other = try stack.another()
        let id = try #require(
            other.coordinator.managedObjectID(forURIRepresentation: object.objectID.uriRepresentation()))
        let there = try other.context.existingObject(with: id).value(forKey: key)
        #expect("\(here ?? "nil")" == "\(there ?? "nil")" || value as? Double == 0, "the same before and after")
        return there
    }

    @Test(
        "MOD-14: integers round-trip at the ends of their ranges",
        arguments: [
            ("int16", Int64(Int16.min), Int64(Int16.max)), ("int32", Int64(Int32.min), Int64(Int32.max)),
            ("int64", Int64.min, Int64.max),
        ])
    func integersRoundTrip(key: String, least: Int64, greatest: Int64) throws {
        for value in [least, -1, 0, 1, greatest] {
            #expect(try (reread(key, value) as? NSNumber)?.int64Value == value)
        }
    }

    @Test(
        "MOD-14: numbers beyond the range are refused by entity, key and range",
        arguments: [
            ("int16", NSNumber(value: 32768)), ("int16", NSNumber(value: -32769)),
            ("int32", NSNumber(value: 2_147_483_648)),
            ("int64", NSNumber(value: 1e19)), ("int64", NSNumber(value: -1e300)),
            ("int64", NSNumber(value: UInt64.max)),
            ("int32", NSNumber(value: Double.nan)), ("int32", NSNumber(value: Double.infinity)),
        ])
    func numbersBeyondRangeAreRefused(key: String, value: NSNumber) throws {
        let object = stack.context.insert("Sample")
        let error = #expect(throws: ValueError.self) { try object.setCodedValue(value, forKey: key) }
        #expect(error?.code == .outOfRange && error?.entity == "Sample" && error?.key == key)
        #expect(object.value(forKey: key) == nil)
    }

    @Test("MOD-14: a typed accessor of a wider type stops beyond the attribute's range")
    func typedAccessorStopsBeyondRange() async {
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(SampleModel.make())
            let sample = Sample(context: stack.context)
            sample.wrongInt = 32767
            sample.wrongInt = 32768
        }
    }

    @Test(
        "MOD-15: decimals of 15 digits round-trip and add up exactly",
        arguments: [
            "0.3", "123456789012345", "-0.00000123456789", "99999999999999.9", "0", "1e20", "-1.5",
        ])
    func decimalsRoundTrip(text: String) throws {
        let value = NSDecimalNumber(string: text)
        #expect(try reread("decimal", value) as? NSDecimalNumber == value)
    }

    @Test("MOD-15: 0.1 + 0.2 is 0.3")
    func decimalSumIsExact() throws {
        let sum = try #require(Decimal(string: "0.1")) + #require(Decimal(string: "0.2"))
        #expect(try (reread("decimal", sum) as? NSDecimalNumber)?.stringValue == "0.3")
    }

    @Test(
        "MOD-16: doubles round-trip to the bit",
        arguments: [
            0.1, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity, .pi, 1e-300,
            9_007_199_254_740_994,
        ] as [Double])
    func doublesRoundTrip(value: Double) throws {
        let read = try #require(try reread("double", value) as? NSNumber).doubleValue
        // SQLite keeps a whole number in a column of reals as an integer, so the sign of zero is lost.
        #expect(read.bitPattern == value.bitPattern || value == 0 && read == 0)
    }

    @Test(
        "MOD-16: floats round-trip to the bit",
        arguments: [
            0.1, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, .pi,
        ] as [Float])
    func floatsRoundTrip(value: Float) throws {
        #expect(try (reread("float", value) as? NSNumber)?.floatValue.bitPattern == value.bitPattern)
    }

    @Test("MOD-16: what is no number is stored as nil")
    func notANumberIsStoredAsNil() throws {
        #expect(try reread("double", Double.nan) == nil)
        #expect(try reread("date", Date(timeIntervalSinceReferenceDate: .nan)) == nil)
        #expect(try reread("decimal", NSDecimalNumber.notANumber) == nil)
    }

    @Test(
        "MOD-17: texts round-trip",
        arguments: [
            "", "a", "\u{0}", "a\u{0}b", "👩‍👩‍👧‍👦🇩🇪", "שלום", "漢字", "e\u{301}", "é", "\u{FFFD}", "\u{10FFFF}", "'\"%_\\;--",
            String(repeating: "ä", count: 100_000),
        ])
    func textsRoundTrip(value: String) throws {
        let read = try #require(try reread("string", value) as? String)
        #expect(Array(read.utf8) == Array(value.utf8))
    }

    @Test("MOD-18: a truth value has three states")
    func truthValueHasThreeStates() throws {
        #expect(try reread("flag", true) as? Bool == true)
        #expect(try reread("flag", false) as? Bool == false)
        #expect(try reread("flag", nil) == nil)
    }

    @Test(
        "MOD-19: dates round-trip to the bit",
        arguments: [
            -3_155_760_000.25, 0, 0.123456789, 1_200_000_000.5, -978_307_200, 63_113_904_000, -63_114_076_800,
        ])
    func datesRoundTrip(seconds: Double) throws {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(try reread("date", date) as? Date == date)
        #expect(try reread("date", NSDate(timeIntervalSinceReferenceDate: seconds)) as? Date == date)
    }

    @Test("MOD-20: bytes round-trip, also none and 5 MB of them", arguments: [0, 1, 5_000_000])
    func bytesRoundTrip(count: Int) throws {
        var random = SeededRandom(seed: 5)
        let data = Data(
            (0..<(count + 7) / 8).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }.prefix(count))
        #expect(try reread("data", data) as? Data == data)
        #expect(
            try stack.rows("SELECT typeof(ZDATA), length(ZDATA) FROM ZSAMPLE") == [["blob", .integer(Int64(count))]])
    }

    @Test("STO: values go to a file strictly above 100 KB", arguments: [0, 1, 102_400, 102_401, 1_000_000])
    func largeValuesRoundTrip(count: Int) throws {
        let data = Data(repeating: 7, count: count)
        #expect(try reread("large", data) as? Data == data)
        let stored = try #require(try stack.integer("SELECT length(ZLARGE) FROM ZSAMPLE"))
        #expect(stored == (count > 102_400 ? 38 : Int64(count) + 1))
        let folder = stack.url.deletingLastPathComponent().appendingPathComponent(".Test_SUPPORT/_EXTERNAL_DATA")
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        #expect(files.count == (count > 102_400 ? 1 : 0))
    }

    @Test func defaultOfLargeAttributeIsStoredInItsForm() throws {
        let model = SampleModel.make()
        model.entitiesByName["Sample"]?.attributesByName["large"]?.defaultValue = Data([9, 8, 7])
        let stack = try Stack(model)
        stack.context.insert("Sample")
        try stack.context.save()
        let other = try stack.another()
        #expect(try other.context.all("Sample").first?.value(forKey: "large") as? Data == Data([9, 8, 7]))
    }

    @Test func identifiersRoundTrip() throws {
        let uuid = UUID()
        #expect(try reread("uuid", uuid) as? UUID == uuid)
        let url = try #require(URL(string: "https://example.org/a%20b?c=d#e"))
        #expect(try reread("uri", url) as? URL == url)
    }

    @Test("MOD-21: a registered transformer's forward direction makes the stored bytes")
    func transformerGoesForwardToBytes() throws {
        let color = [0.25, 0.5, 0.75, 1]
        #expect(try reread("color", color) as? [Double] == color)
        let stored = try stack.rows("SELECT ZCOLOR FROM ZSAMPLE")
        #expect(stored == [[.blob(Array("0.250000,0.500000,0.750000,1.000000".utf8))]])
    }

    @Test("MOD-22: without a transformer a value is archived")
    func archivedValuesRoundTrip() throws {
        let values: [NSObject] = [
            NSArray(array: ["a", 1, Date(timeIntervalSinceReferenceDate: 1)]), NSDictionary(dictionary: ["k": [1, 2]]),
            NSString(string: "text"), NSNumber(value: 5),
        ]
        for value in values { #expect(try reread("archived", value) as? NSObject == value) }
    }

    @Test("MOD-22: Swift values are archived like Foundation's")
    func swiftValuesAreArchived() throws {
        #expect(try reread("archived", ["a", "b"]) as? [String] == ["a", "b"])
        #expect(try reread("archived", "text") as? String == "text")
        #expect(try reread("archived", ["k": 1]) as? [String: Int] == ["k": 1])
    }

    @Test("MOD-22: a transformer that unarchives is used in reverse for storing")
    func securedValuesRoundTrip() throws {
        #expect(try reread("secured", ["a", "b"]) as? [String] == ["a", "b"])
        let bytes = try #require(try stack.rows("SELECT ZSECURED FROM ZSAMPLE").first?.first)
        guard case .blob(let blob) = bytes else { return #expect(Bool(false)) }
        #expect(blob.starts(with: Array("bplist00".utf8)))
    }

    @Test("MOD-22: a value that cannot be archived fails the save and stays")
    func unarchivableValueFailsSave() throws {
        final class Opaque {}
        let object = stack.context.insert("Sample", ["archived": Opaque()])
        #expect(throws: (any Error).self) { try stack.context.save() }
        #expect(object.isInserted)
        object.setValue(nil, forKey: "archived")
        try stack.context.save()
        #expect(try stack.integer("SELECT count(*) FROM ZSAMPLE") == 1)
    }

    @Test("MOD-24: an undefined transient attribute holds any value and is not stored")
    func undefinedAttributeHoldsAnything() throws {
        let object = stack.context.insert("Sample", ["scratch": [1, 2]])
        #expect(object.value(forKey: "scratch") as? [Int] == [1, 2])
        try stack.context.save()
        #expect(object.value(forKey: "scratch") as? [Int] == [1, 2])
        #expect(try stack.newContext().all("Sample").first?.value(forKey: "scratch") == nil)
    }

    @Test("KVC-05: typed properties of every type agree with access by key")
    func typedPropertiesAgreeWithKeys() throws {
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
}
