import CoreData
import SQLiteKit
import StoreContract
import Testing

@Suite struct AttributeTypeTests {
    let stack: Stack
    init() throws { stack = try Stack(AttributeSample.model()) }

    /// The value that another coordinator reads after it was set here and saved.
    private func reread(_ key: String, _ value: Any?) throws -> Any? {
        let object = stack.context.insert("Sample", [key: value])
        try stack.context.save()
        let other = try stack.another()
        let id = try #require(
            other.coordinator.managedObjectID(forURIRepresentation: object.objectID.uriRepresentation()))
        return try other.context.existingObject(with: id).value(forKey: key)
    }

    @Test("a double NaN is stored as nil (MOD-16)")
    func notANumberIsStoredAsNil() throws { #expect(try reread("double", Double.nan) == nil) }

    @Test("the decimal NaN is the text that Apple's framework stores (MOD-15)")
    func decimalNaNIsAText() throws {
        #expect(try reread("decimal", NSDecimalNumber.notANumber) as? NSDecimalNumber == .notANumber)
        #expect(try stack.rows("SELECT ZDECIMAL FROM ZSAMPLE") == [[.text("NaN")]])
    }

    @Test("a date that is not finite is refused rather than lost (VAL-18)")
    func dateThatIsNotFiniteIsRefused() {
        let error = #expect(throws: NSError.self) {
            try reread("date", Date(timeIntervalSinceReferenceDate: .nan))
        }
        #expect(error?.code == NSValidationInvalidDateError)
    }

    @Test("a negative zero is a zero in the file (MOD-16)")
    func negativeZeroIsZero() throws {
        // SQLite keeps a whole number in a column of reals as an integer, so the sign of zero is lost.
        #expect(try reread("double", -0.0) as? Double == 0)
    }

    @Test("bytes are blobs, also none of them (MOD-20)", arguments: [0, 1, 5_000])
    func bytesAreBlobs(count: Int) throws {
        let data = Data(repeating: 9, count: count)
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

    @Test("the file has the bytes that a transformer makes (MOD-21)")
    func transformedBytesAreStored() throws {
        let numbers = [0.25, 0.5, 0.75, 1]
        #expect(try reread("transformedNumbers", numbers) as? [Double] == numbers)
        #expect(try stack.rows("SELECT ZTRANSFORMEDNUMBERS FROM ZSAMPLE") == [[.blob(Array("0.25,0.5,0.75,1.0".utf8))]])
    }

    @Test("a transformer that unarchives is used in reverse for storing (MOD-22)")
    func securedValuesRoundTrip() throws {
        #expect(try reread("transformedLists", ["a", "b"]) as? [String] == ["a", "b"])
        let bytes = try #require(try stack.rows("SELECT ZTRANSFORMEDLISTS FROM ZSAMPLE").first?.first)
        guard case .blob(let blob) = bytes else { return #expect(Bool(false)) }
        #expect(blob.starts(with: Array("bplist00".utf8)))
    }
}
