import CoreData
import SQLiteKit
import TestBasics
import Testing

@Suite("Bookkeeping that is not as it should be")
struct BookkeepingTests {
    private static let plist = "UPDATE Z_METADATA SET Z_PLIST = "

    @Test(
        "metadata that is not a property list of the right shape is refused (HAZ-13)",
        arguments: [
            plist + "'text'", plist + "NULL", plist + "7", plist + "x'00112233'", plist + "x''",
            plist + "CAST('<plist><dict/></plist>' AS BLOB)", plist + "zeroblob(17000000)",
            "DELETE FROM Z_METADATA", "ALTER TABLE Z_METADATA RENAME COLUMN Z_PLIST TO X",
        ])
    func metadataIsNotPropertyList(_ statement: String) throws {
        let url = try SampleStore.make()
        try SampleStore.tamper(url, statement)
        let before = try Data(contentsOf: url)
        let survey = Survey(url)
        #expect(survey.isClearRefusal, "\(survey.error.map { "\($0)" } ?? "opened")")
        #expect(survey.error?.code == 134080)
        expectError(134080) {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        }
        #expect(try Data(contentsOf: url) == before)
    }

    @Test("metadata of a wrong shape, nested deeply or with a false size is refused (HAZ-13)")
    func metadataOfWrongShape() throws {
        func refusal(_ data: Data) throws -> Survey {
            let url = try SampleStore.make()
            try Self.replacePlist(url, data)
            return Survey(url)
        }
        func encoded(_ value: Any) throws -> Data {
            try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
        }
        var nested: Any = "end"
        for _ in 0..<2_000 { nested = [nested] }
        let hashes = NSStoreModelVersionHashesKey
        for value in [
            ["a", "b"], [hashes: "text"], [hashes: ["Book": Data([1])]], [hashes: [String: Data]()], ["other": 1],
            [hashes: ["Book": "x"]],
        ] as [Any] {
            let survey = try refusal(try encoded(value))
            #expect(survey.error != nil)
            #expect(survey.error?.code == 134100 || survey.isClearRefusal, "\(value)")
        }
        #expect(try refusal(Self.deeplyNested).isClearRefusal)
        // An object of data that claims a gigabyte.
        var lying = Data("bplist00".utf8) + [0x4F, 0x12, 0x40, 0, 0, 0]
        lying += [8] + Data(repeating: 0, count: 6) + [1, 1] + Data(repeating: 0, count: 7) + [1]
        lying += Data(repeating: 0, count: 8) + Data(repeating: 0, count: 7) + [14]
        #expect(try refusal(lying).isClearRefusal)
    }

    /// Five thousand arrays, each in the next.
    private static var deeplyNested: Data {
        var data = Data("bplist00".utf8)
        let count = 5_000
        for index in 0..<count { data += [0xA1, UInt8((index + 1) >> 8), UInt8((index + 1) & 255)] }
        data += [0x09]
        let table = data.count
        for index in 0...count { data += [UInt8((8 + index * 3) >> 8), UInt8((8 + index * 3) & 255)] }
        data += Data(repeating: 0, count: 6) + [2, 2]
        for value in [count + 1, 0, table] { data += withUnsafeBytes(of: UInt64(value).bigEndian) { Data($0) } }
        return data
    }

    static func replacePlist(_ url: URL, _ data: Data) throws {
        let connection = try Connection.open(url.path)
        try connection.execute("UPDATE Z_METADATA SET Z_PLIST = ?", [.blob([UInt8](data))])
        connection.close()
    }

    @Test(
        "a missing or wrong identity is replaced at the next save only, and said (HAZ-14)",
        arguments: ["NULL", "'no uuid'", "x'00'", "17"])
    func missingIdentity(_ value: String) throws {
        let url = try SampleStore.make()
        try SampleStore.tamper(url, "UPDATE Z_METADATA SET Z_UUID = \(value)")
        let reading = Survey(url)
        #expect(reading.problems.contains { $0.contains("identity") })
        func identity() throws -> Value? {
            let connection = try Connection.open(url.path)
            defer { connection.close() }
            return try connection.value("SELECT Z_UUID FROM Z_METADATA")
        }
        #expect(try identity()?.text.flatMap(UUID.init(uuidString:)) == nil)
        let writing = Survey(url, writes: true)
        #expect(writing.error == nil)
        let text = try #require(try identity()?.text)
        #expect(UUID(uuidString: text) != nil)
        #expect(writing.problems.contains { $0.contains(text) })
        #expect(Survey(url).problems.isEmpty)
    }

    @Test("a spoilt model cache is an error of its own, and no matter for opening with a given model (HAZ-15)")
    func spoiltModelCache() throws {
        let bomb = try Self.deflatedZeros()
        #expect(bomb.count < 2_000_000)
        for content: Value in [
            .blob([1, 2, 3]), .blob([]), .text("text"), .null, .blob(bomb),
            .blob([UInt8](repeating: 0xFF, count: 5_000)),
        ] {
            let url = try SampleStore.make()
            let expected = Survey(url).contents
            let connection = try Connection.open(url.path)
            try connection.execute("UPDATE Z_MODELCACHE SET Z_CONTENT = ?", [content])
            connection.close()
            #expect(Survey(url, writes: true).contents == expected)
            // Only bytes are taken for a model.
            guard case .blob = content else {
                #expect(try StoreFile.cachedModel(at: url) == nil)
                continue
            }
            let error = expectError(134080) { try StoreFile.cachedModel(at: url) }
            #expect(error?.localizedDescription.contains("\n") == false)
            #expect(error?.localizedDescription.contains("the model that it carries cannot be read") == true)
        }
    }

    /// Stored blocks of DEFLATE would not grow; this is one literal and a repeat of it, over and over: 1 to 1,000.
    private static func deflatedZeros() throws -> [UInt8] {
        // Fixed Huffman codes, bits least significant first: literal 0, then matches of length 258 at distance 1.
        var bits: [UInt8] = [1, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0]
        let match: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0]
        for _ in 0..<800_000 { bits += match }
        bits += [UInt8](repeating: 0, count: 7)
        while bits.count % 8 != 0 { bits.append(0) }
        return stride(from: 0, to: bits.count, by: 8).map { start in
            (0..<8).reduce(UInt8(0)) { $0 | bits[start + $1] << UInt8($1) }
        }
    }

    @Test("a recorded greatest key that is too low, negative or missing is corrected before it is used (HAZ-17)")
    func recordedKeyIsWrong() throws {
        for statement in [
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 0", "UPDATE Z_PRIMARYKEY SET Z_MAX = -9",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = NULL", "UPDATE Z_PRIMARYKEY SET Z_MAX = 'many'",
        ] {
            let url = try SampleStore.make()
            try SampleStore.tamper(url, statement)
            #expect(Survey(url, writes: true).error == nil, "\(statement)")
            let connection = try Connection.open(url.path)
            #expect(try connection.value("SELECT max(Z_PK) FROM ZBOOK") == 18)
            #expect(try connection.value("SELECT count(*) FROM ZBOOK") == 18)
            #expect(try connection.value("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book'") == 18)
        }
        let url = try SampleStore.make()
        let expected = Survey(url).contents
        try SampleStore.tamper(url, "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Novel'")
        let survey = Survey(url)
        #expect(survey.contents == expected || survey.isClearRefusal)
        try SampleStore.tamper(url, "DELETE FROM Z_PRIMARYKEY")
        let empty = Survey(url, writes: true)
        #expect(empty.contents == expected || empty.isClearRefusal, "\(empty.error.map { "\($0)" } ?? "")")
    }

    @Test("hostile entity numbers are refused or passed over (HAZ-17)")
    func hostileNumbers() throws {
        for statement in [
            "UPDATE Z_PRIMARYKEY SET Z_ENT = -Z_ENT", "UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 100",
            "UPDATE Z_PRIMARYKEY SET Z_ENT = 9223372036854775807 WHERE Z_NAME = 'Tag'",
            "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Tag'", "UPDATE Z_PRIMARYKEY SET Z_NAME = NULL",
            "UPDATE Z_PRIMARYKEY SET Z_NAME = x'FF00FF'",
        ] {
            let url = try SampleStore.make()
            let expected = Survey(url).contents
            try SampleStore.tamper(url, statement)
            let survey = Survey(url, writes: true)
            let isPassedOver = survey.error == nil && survey.contents == expected
            #expect(expected != nil && (isPassedOver || survey.isClearRefusal), "\(statement): \(survey)")
        }
    }

    @Test("strange keys are read; at the end of the range an insertion is refused (HAZ-19)")
    func endOfKeys() throws {
        let url = try SampleStore.make()
        try SampleStore.tamper(
            url, "UPDATE ZTAG SET Z_PK = 9223372036854775807 WHERE Z_PK = 1",
            "UPDATE ZTAG SET Z_PK = -4 WHERE Z_PK = 2",
            "UPDATE ZTAG SET Z_PK = 0 WHERE Z_PK = 3")
        let survey = Survey(url)
        #expect(survey.contents?.filter { $0.hasPrefix("Tag#") }.count == 4)
        #expect(survey.contents?.contains { $0.hasPrefix("Tag#-4;") } == true)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SampleStore.model())
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
        let error = try #require(throws: (any Error).self) { try context.save() } as NSError
        #expect(error.localizedDescription.contains("ZTAG"))
        #expect(error.localizedDescription.contains(url.path))
        expectError(134030) { try context.obtainPermanentIDs(for: [tag]) }
        #expect(tag.isInserted)
        try coordinator.remove(store)
        #expect(Survey(url).contents == survey.contents)
    }
}
