import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@Suite("Replacing stores")
struct ReplaceTests {
    private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SampleStore.model())

    private func replace(_ destination: URL, with source: URL) throws {
        try coordinator.replacePersistentStore(at: destination, withPersistentStoreFrom: source, type: .sqlite)
    }

    @Test("what is in the log of an open store is copied too, to a place without a store (STO-25, STO-28)")
    func newPlace() throws {
        let source = try SampleStore.make()
        let opened = try Opened(source)
        opened.context.insert("Tag", ["word": "in the log"])
        try opened.context.save()
        #expect(FileManager.default.fileExists(atPath: source.path + "-wal"))
        let copy = try Fixtures.temporaryFolder().appendingPathComponent("Copy.sqlite")
        try replace(copy, with: source)
        let expected = try #require(Survey(source).contents)
        #expect(Survey(copy).contents == expected)
        #expect(expected.contains { $0.contains("in the log") })
        #expect(try Opened(copy).store.identifier == opened.store.identifier)
        let left = try FileManager.default.contentsOfDirectory(atPath: copy.deletingLastPathComponent().path)
        #expect(left.allSatisfy { $0.hasPrefix("Copy.sqlite") }, "\(left)")
    }

    @Test("files of large values come with the store, and those of the old store go (STO-28)")
    func largeValues() throws {
        let source = try DestroyTests.withLargeValue("Source.sqlite")
        let destination = try DestroyTests.withLargeValue("Destination.sqlite")
        try replace(destination, with: source)
        #expect(DestroyTests.externalFiles(destination) == DestroyTests.externalFiles(source))
        let survey = Survey(destination)
        #expect(survey.contents == Survey(source).contents)
        #expect(survey.reports.isEmpty)
    }

    @Test("a copy beside its source with another extension does not take the source's files with it (STO-28)")
    func copyBesideItsSourceWithAnotherExtensionDoesNotTakeSources() throws {
        let source = try DestroyTests.withLargeValue("Large.sqlite")
        let copy = source.deletingLastPathComponent().appendingPathComponent("Large.backup")
        try replace(copy, with: source)
        let expected = try #require(Survey(source).contents)
        #expect(Survey(copy).contents == expected)
        try coordinator.destroyPersistentStore(at: copy, type: .sqlite)
        let survey = Survey(source)
        #expect(survey.contents == expected)
        #expect(survey.reports.isEmpty)
    }

    @Test("a store that others have open is replaced under their locks, and they read the new one (STO-28)")
    func openDestination() throws {
        let destination = try SampleStore.make()
        let source = try DestroyTests.withLargeValue()
        let reader = try Connection.open(destination.path)
        #expect(try reader.value("SELECT count(*) FROM ZBOOK")?.integer == 17)
        try replace(destination, with: source)
        #expect(try reader.value("SELECT count(*) FROM ZBOOK")?.integer == 1)
        #expect(try reader.integrityFaults().isEmpty)
        #expect(Survey(destination).contents == Survey(source).contents)
    }

    @Test("who has a replaced store open cannot write old objects into the other store (STO-28)")
    func openCoordinator() throws {
        let destination = try SampleStore.make()
        let opened = try Opened(destination)
        let novel = try opened.fetch("Novel")[0]
        let source = try SampleStore.make()
        try replace(destination, with: source)
        novel.setValue("Old", forKey: "title")
        let error = #expect(throws: NSError.self) { try opened.context.save() }
        #expect(error?.code == NSPersistentStoreSaveError)
        #expect(error?.localizedDescription.contains("replaced") == true)
        #expect(Survey(destination).contents == Survey(source).contents)
    }

    @Test("a destination that another connection writes to stays as it is (STO-28)", .timeLimit(.minutes(20)))
    func lockedDestination() throws {
        let destination = try SampleStore.make()
        let expected = try #require(Survey(destination).contents)
        let source = try DestroyTests.withLargeValue()
        let other = try Connection.open(destination.path)
        try other.begin(.immediate)
        let error = code {
            try coordinator.replacePersistentStore(
                at: destination, destinationOptions: [NSPersistentStoreTimeoutOption: 0.05],
                withPersistentStoreFrom: source, type: .sqlite)
        }
        #expect(error == NSPersistentStoreTimeoutError)
        try other.rollBack()
        #expect(Survey(destination).contents == expected)
        #expect(DestroyTests.externalFiles(destination).isEmpty)
    }

    @Test("page sizes may differ (STO-28)")
    func pageSizes() throws {
        let destination = try SampleStore.make()
        let connection = try Connection.open(destination.path)
        try connection.setPragma("journal_mode", to: .text("delete"))
        try connection.setPragma("page_size", to: .integer(1024))
        try connection.execute("VACUUM")
        try connection.setPragma("journal_mode", to: .text("wal"))
        connection.close()
        let source = try DestroyTests.withLargeValue()
        try replace(destination, with: source)
        #expect(Survey(destination).contents == Survey(source).contents)
    }

    @Test("a source in a place that cannot be written is copied, and no byte of it changes (STO-25, STO-28)")
    func readOnlySource() throws {
        let source = try DestroyTests.withLargeValue()
        let folder = source.deletingLastPathComponent().path
        chmod(source.path, 0o444)
        chmod(folder, 0o555)
        defer { chmod(folder, 0o755) }
        let (before, names) = try (Data(contentsOf: source), FileManager.default.contentsOfDirectory(atPath: folder))
        let copy = try Fixtures.temporaryFolder().appendingPathComponent("Copy.sqlite")
        try replace(copy, with: source)
        #expect(try Data(contentsOf: source) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == names)
        #expect(Survey(copy, writes: true).error == nil)
        #expect(DestroyTests.externalFiles(copy).count == 1)
    }

    @Test("a store is not replaced with itself, by whatever path (STO-28)")
    func storeIsNotReplacedWithItself() throws {
        let url = try SampleStore.make()
        let expected = try #require(Survey(url).contents)
        let link = url.deletingLastPathComponent().appendingPathComponent("link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
        let hard = url.deletingLastPathComponent().appendingPathComponent("hard.sqlite")
        try FileManager.default.linkItem(at: url, to: hard)
        for other in [url, link, hard] {
            #expect(code { try replace(other, with: url) } == NSPersistentStoreOperationError)
        }
        #expect(Survey(url).contents == expected)
    }

    @Test("bad sources leave the destination, bad destinations are left (STO-28, HAZ-01)", .timeLimit(.minutes(20)))
    func noStores() throws {
        let store = try SampleStore.make()
        let expected = try #require(Survey(store).contents)
        let folder = try Fixtures.temporaryFolder()
        let database = folder.appendingPathComponent("other.sqlite")
        try SampleStore.create(database, "CREATE TABLE notes (text)")
        let damaged = folder.appendingPathComponent("damaged.sqlite")
        var bytes = try Data(contentsOf: try SampleStore.make())
        for index in 8192..<min(bytes.count, 40_960) { bytes[index] = 0xA5 }
        try bytes.write(to: damaged)
        let pipe = folder.appendingPathComponent("pipe")
        mkfifo(pipe.path, 0o644)
        let dangling = folder.appendingPathComponent("dangling.sqlite")
        try FileManager.default.createSymbolicLink(
            at: dangling, withDestinationURL: folder.appendingPathComponent("nowhere"))
        let missing = folder.appendingPathComponent("missing.sqlite")
        for source in [database, damaged, pipe, folder, missing] {
            #expect(code { try replace(store, with: source) } == NSPersistentStoreOpenError, "\(source)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let orphan = folder.appendingPathComponent("no/folder.sqlite")
        for destination in [database, pipe, folder, orphan, dangling] {
            #expect(code { try replace(destination, with: store) } == NSPersistentStoreOpenError, "\(destination)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == names)
        #expect(Survey(store).contents == expected)
    }

    @Test("a store that was moved with its folder finds its large values (STO-24)")
    func storeThatWasMovedWithItsFolderFindsItsLargeValues() throws {
        let url = try DestroyTests.withLargeValue()
        let expected = try #require(Survey(url).contents)
        let folder = url.deletingLastPathComponent()
        let other = folder.deletingLastPathComponent().appendingPathComponent(UUID().uuidString)
        try FileManager.default.moveItem(at: folder, to: other)
        let survey = Survey(other.appendingPathComponent(url.lastPathComponent))
        #expect(survey.contents == expected)
        #expect(survey.reports.isEmpty)
    }
}
