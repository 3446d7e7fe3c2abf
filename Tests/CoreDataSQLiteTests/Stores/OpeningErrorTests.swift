import CoreData
import TestBasics
import Testing

/// The errors of files that are no stores, as Apple's framework gives them: seen in public reports of error 259, whose user
/// info has the file's path and SQLite's code under the name of its domain.
@Suite struct OpeningErrorTests {
    private func error(opening bytes: Data) throws -> NSError? {
        let url = try Fixtures.temporaryFolder().appendingPathComponent("Bad.sqlite")
        try bytes.write(to: url)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SampleStore.model())
        let error = #expect(throws: NSError.self) { try coordinator.addPersistentStore(type: .sqlite, at: url) }
        #expect(error?.domain == NSCocoaErrorDomain && error?.userInfo[NSFilePathErrorKey] as? String == url.path)
        #expect(try Data(contentsOf: url) == bytes)
        return error
    }

    @Test("a file that is not a database is refused with 259 and SQLite's code 26 (STO-12)")
    func noDatabase() throws {
        let error = try error(opening: Data(String(repeating: "no database ", count: 500).utf8))
        #expect(error?.code == NSFileReadCorruptFileError)
        #expect(error?.userInfo[NSSQLiteErrorDomain] as? Int == 26)
        let underlying = error?.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(underlying?.domain == NSSQLiteErrorDomain && underlying?.code == 26)
    }

    @Test("a damaged database is refused with 259 and SQLite's code 11 (STO-12)")
    func damagedDatabaseIsRefusedWith259AndSQLitesCode11() throws {
        var bytes = try Data(contentsOf: SampleStore.make())
        for index in 108..<4096 { bytes[index] = 0xA5 }
        let error = try error(opening: bytes)
        #expect(error?.code == NSFileReadCorruptFileError)
        #expect((error?.userInfo[NSSQLiteErrorDomain] as? Int).map { $0 & 0xFF } == 11)
    }

    @Test("a database of another program stays an error of opening (STO-12)")
    func otherDatabase() throws {
        let url = try Fixtures.temporaryFolder().appendingPathComponent("other.sqlite")
        try SampleStore.create(url, "CREATE TABLE notes (text)")
        let error = try error(opening: Data(contentsOf: url))
        #expect(error?.code == NSPersistentStoreOpenError && error?.userInfo[NSSQLiteErrorDomain] == nil)
    }
}
