import CoreData
import SQLiteKit
import TestBasics
import Testing

@testable import CoreDataSQLite

@Suite("Logs beside a store")
struct LogTests {
    /// A store whose latest save is in the log alone: copies made while it is open.
    private static func storeWithLog() throws -> (url: URL, whole: [String], without: [String]) {
        let url = try SampleStore.make()
        let without = try #require(Survey(url).contents)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SampleStore.model())
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        for round in 0..<3 {
            let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
            tag.setValue("logged \(round)", forKey: "word")
            try context.save()
        }
        let copy = try Fixtures.temporaryFolder().appendingPathComponent("Books.sqlite")
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: url.path + suffix, toPath: copy.path + suffix)
        }
        try coordinator.remove(store)
        return (copy, try #require(Survey(url).contents), without)
    }

    @Test("a log that was cut off, torn or spoilt gives the last whole commit (HAZ-06)")
    func damagedLog() throws {
        let (source, whole, without) = try Self.storeWithLog()
        let log = try Data(contentsOf: URL(fileURLWithPath: source.path + "-wal"))
        #expect(whole.count == without.count + 3)
        func survey(_ log: Data, readOnly: Bool) throws -> Survey {
            let url = try Fixtures.temporaryFolder().appendingPathComponent("Books.sqlite")
            defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
            try FileManager.default.copyItem(at: source, to: url)
            try log.write(to: URL(fileURLWithPath: url.path + "-wal"))
            return Survey(
                url, readOnly ? [NSReadOnlyPersistentStoreOption: true, SQLiteStoreLeavesNoTraceOption: true] : nil)
        }
        #expect(try survey(log, readOnly: false).contents == whole)
        var counts = Set<Int>()
        for (index, length) in stride(from: 0, to: log.count, by: 509).enumerated() {
            let survey = try survey(log.prefix(length), readOnly: index % 2 == 0)
            let count = try #require(survey.contents, "\(length): \(survey.error.map { "\($0)" } ?? "")").count
            #expect((without.count...whole.count).contains(count))
            counts.insert(count)
        }
        #expect(counts.count > 2, "some lengths hold one commit, some two")
        for offset in [0, 5, 8, 13, 16, 20, 24, 30, 40, 60, log.count / 2, log.count - 1] {
            var spoilt = log
            spoilt[offset] ^= 0xFF
            let survey = try survey(spoilt, readOnly: offset % 2 == 0)
            let count = try #require(survey.contents, "\(offset): \(survey.error.map { "\($0)" } ?? "")").count
            #expect((without.count...whole.count).contains(count))
        }
    }

    @Test("the log of another store, which its salts do not reveal, gives a store or a clear refusal (HAZ-07)")
    func mispairedLog() throws {
        let (source, _, _) = try Self.storeWithLog()
        let other = try SampleStore.make()
        let expected = try #require(Survey(other).contents)
        try FileManager.default.copyItem(atPath: source.path + "-wal", toPath: other.path + "-wal")
        let survey = Survey(other, [NSReadOnlyPersistentStoreOption: true, SQLiteStoreLeavesNoTraceOption: true])
        // A log carries its salts itself, so SQLite plays back any that is whole; nothing may trap or be written.
        if let contents = survey.contents {
            #expect(contents.count >= expected.count)
        } else {
            #expect(survey.isClearRefusal)
        }
    }

    @Test("a missing or stale index of the log is rebuilt (HAZ-08)")
    func staleIndex() throws {
        let (source, whole, _) = try Self.storeWithLog()
        for index in [nil, Data(repeating: 0xAB, count: 32_768), Data([1, 2, 3])] {
            let url = try Fixtures.temporaryFolder().appendingPathComponent("Books.sqlite")
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: source.path + suffix, toPath: url.path + suffix)
            }
            try index?.write(to: URL(fileURLWithPath: url.path + "-shm"))
            #expect(Survey(url).contents == whole)
        }
    }

    @Test("how a file is read depends on what lies beside it and on whether its folder may be written (HAZ-09)")
    func waysOfReading() throws {
        let folder = try Fixtures.temporaryFolder()
        func way(_ name: String, isLogged: Bool, beside: [String], leavesTraces: Bool) throws -> FileAccess {
            let url = folder.appendingPathComponent(name)
            var header = Data(repeating: 0, count: 100)
            header[18] = isLogged ? 2 : 1
            try header.write(to: url)
            for suffix in beside {
                try Data(repeating: 1, count: suffix.hasSuffix("0") ? 0 : 40)
                    .write(to: URL(fileURLWithPath: url.path + suffix.replacingOccurrences(of: "0", with: "")))
            }
            return FileAccess.forReading(url.path, leavesTraces: leavesTraces)
        }
        #expect(try way("a", isLogged: false, beside: [], leavesTraces: false) == .inPlace)
        #expect(try way("b", isLogged: true, beside: [], leavesTraces: false) == .immutable)
        #expect(try way("c", isLogged: true, beside: [], leavesTraces: true) == .inPlace)
        #expect(try way("d", isLogged: true, beside: ["-wal"], leavesTraces: false) == .privateCopy)
        #expect(try way("e", isLogged: true, beside: ["-wal", "-shm"], leavesTraces: false) == .inPlace)
        #expect(try way("f", isLogged: true, beside: ["-wal"], leavesTraces: true) == .inPlace)
        #expect(try way("g", isLogged: false, beside: ["-journal"], leavesTraces: true) == .inPlace)
        #expect(try way("h", isLogged: true, beside: ["-wal0"], leavesTraces: false) == .immutable)
        #expect(try way("i", isLogged: true, beside: ["-wal0", "-shm"], leavesTraces: false) == .inPlace)
    }

    @Test("a private copy, and a file that is read as immutable, give all rows and leave nothing behind (HAZ-09)")
    func readingWithoutTrace() throws {
        let (url, whole, _) = try Self.storeWithLog()
        let folder = url.deletingLastPathComponent().path
        let survey = Survey(url, [NSReadOnlyPersistentStoreOption: true, SQLiteStoreLeavesNoTraceOption: true])
        #expect(survey.contents == whole)
        #expect(survey.isReadOnly)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [
                "Books.sqlite", "Books.sqlite-wal",
            ])
        var copy: PrivateCopy? = try PrivateCopy(of: url.path)
        let place = try #require(copy?.path)
        #expect(FileManager.default.fileExists(atPath: place) && FileManager.default.fileExists(atPath: place + "-wal"))
        copy = nil
        #expect(!FileManager.default.fileExists(atPath: (place as NSString).deletingLastPathComponent))

        let plain = try SampleStore.make()
        let expected = Survey(plain).contents
        let immutable = Survey(plain, [NSReadOnlyPersistentStoreOption: true, SQLiteStoreLeavesNoTraceOption: true])
        #expect(immutable.contents == expected)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: plain.deletingLastPathComponent().path) == [
                "Books.sqlite"
            ])
    }
}
