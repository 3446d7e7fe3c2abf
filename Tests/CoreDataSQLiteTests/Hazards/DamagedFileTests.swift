import CoreData
import SQLiteKit
import TestBasics
import Testing

@Suite("Files that are damaged, or no stores")
struct DamagedFileTests {
    @Test("an irregular file is refused at once, and the error names its kind (HAZ-01)")
    func irregularFile() throws {
        let folder = try Fixtures.temporaryFolder()
        try Data().write(to: folder.appendingPathComponent("empty"))
        try Data([83]).write(to: folder.appendingPathComponent("one"))
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("folder"), withIntermediateDirectories: false)
        #expect(mkfifo(folder.appendingPathComponent("pipe").path, 0o600) == 0)
        let socket = try Fixtures.boundSocket(at: folder.appendingPathComponent("socket"))
        defer { close(socket) }
        let words = [
            "empty": "the file is empty", "one": "shorter than a database header", "folder": "it is a directory",
            "pipe": "it is a named pipe", "socket": "it is a socket",
        ]
        for (name, word) in words {
            let url = folder.appendingPathComponent(name)
            let isFile = ["empty", "one"].contains(name)
            for options in [nil, [NSReadOnlyPersistentStoreOption: true]] as [[AnyHashable: Any]?] {
                let survey = Survey(url, options)
                #expect(survey.isClearRefusal, "\(name): \(survey.error?.localizedDescription ?? "opened")")
                let code = isFile ? NSFileReadCorruptFileError : NSPersistentStoreOpenError
                #expect(survey.error?.code == code)
                #expect(survey.error?.localizedDescription.contains(word) == true, "\(name)")
            }
            expectError(isFile ? NSFileReadCorruptFileError : 134080) {
                try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
            }
        }
        let device = Survey(URL(fileURLWithPath: "/dev/zero"))
        #expect(device.isClearRefusal)
        #expect(device.error?.localizedDescription.contains("it is a device") == true)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(names) == Set(words.keys))
    }

    @Test(
        "a file that is not a database and a database that is not a store are refused with different reasons (HAZ-02)")
    func noStore() throws {
        let folder = try Fixtures.temporaryFolder()
        let text = folder.appendingPathComponent("text.sqlite")
        try Data(String(repeating: "This is no database. ", count: 400).utf8).write(to: text)
        let before = try Data(contentsOf: text)
        let first = Survey(text)
        #expect(first.isClearRefusal)
        #expect(first.error?.localizedDescription.contains("not an SQLite database") == true)
        #expect(try Data(contentsOf: text) == before)

        let database = folder.appendingPathComponent("other.sqlite")
        try SampleStore.create(database, "CREATE TABLE notes (text)")
        let second = Survey(database)
        #expect(second.isClearRefusal)
        #expect(second.error?.localizedDescription.contains("has no table Z_METADATA") == true)
        let bytes = try Data(contentsOf: database)
        #expect(bytes[18] == 1, "the journal mode of a file that is refused stays")
    }

    @Test("a header with a wrong page size or page count is refused or read as it was (HAZ-03)")
    func wrongHeader() throws {
        let url = try SampleStore.make()
        let whole = try #require(Survey(url).contents)
        let bytes = try Data(contentsOf: url)
        for (offset, values) in [
            (16, [0, 1, 3, 255]), (17, [1, 7]), (28, [255]), (31, [1, 0]), (20, [200]), (47, [9]),
        ] {
            for value in values {
                var damaged = bytes
                damaged[offset] = UInt8(value)
                let survey = try Self.survey(damaged)
                #expect(
                    survey.error.map { _ in survey.isClearRefusal } ?? (survey.contents == whole), "\(offset)=\(value)")
            }
        }
    }

    /// A sample of the bytes, denser in the first two pages; every byte when `CORE_DATA_EXHAUSTIVE` is set.
    @Test("a flipped byte anywhere never traps and never changes the file (HAZ-04)")
    func flippedBytes() throws {
        let seed = TestSeed.first
        // At once, since a trap would leave no other trace; CORE_DATA_SEED repeats a run.
        FileHandle.standardError.write(Data("HAZ-04: CORE_DATA_SEED=\(seed)\n".utf8))
        var random = SeededRandom(seed: seed)
        let bytes = try Data(contentsOf: try SampleStore.make())
        let first = 2 * 4096
        let isExhaustive = TestSeed.isExhaustive
        var offsets = Array(stride(from: Int.random(in: 0..<24, using: &random), to: first, by: 24))
        offsets += (0..<300).map { _ in Int.random(in: first..<bytes.count, using: &random) }
        if isExhaustive { offsets = Array(0..<bytes.count) }
        var refused = 0
        var unclear: [String] = []
        for offset in offsets {
            var damaged = bytes
            damaged[offset] ^= UInt8.random(in: 1...255, using: &random)
            let survey = try Self.survey(damaged, writes: offset % 5 == 0)
            guard survey.error != nil else { continue }
            refused += 1
            if !survey.isClearRefusal { unclear.append("\(offset): \(survey.error.map { "\($0)" } ?? "")") }
        }
        print("HAZ-04: \(offsets.count) bytes flipped, \(refused) refused")
        #expect(unclear.isEmpty, "\(unclear.prefix(5))")
        #expect(refused > 0)
    }

    @Test("a file cut off at every 512 bytes is refused, or gives what is left (HAZ-05)")
    func truncatedFiles() throws {
        let bytes = try Data(contentsOf: try SampleStore.make())
        var unclear: [String] = []
        for length in stride(from: 0, to: bytes.count, by: 512) {
            let survey = try Self.survey(bytes.prefix(length))
            if survey.error != nil, !survey.isClearRefusal {
                unclear.append("\(length): \(survey.error.map { "\($0)" } ?? "")")
            }
            if length < 4096 { #expect(survey.error != nil, "\(length)") }
        }
        print("HAZ-05: \(bytes.count / 512) lengths")
        #expect(unclear.isEmpty, "\(unclear.prefix(5))")
    }

    /// Surveys a file of the given bytes; a store that is refused, or only read, must be left as it is.
    private static func survey(_ bytes: Data, writes: Bool = false) throws -> Survey {
        let url = try Fixtures.temporaryFolder().appendingPathComponent("Books.sqlite")
        defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
        try bytes.write(to: url)
        let survey = Survey(url, writes: writes)
        if survey.error != nil, survey.contents == nil, bytes.count > 20 {
            let after = try Data(contentsOf: url)
            #expect(after == bytes, "a refused file was changed")
        }
        return survey
    }
}
