import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@Suite struct CopyTests {
    @Test("a store that others write to is copied as it is at one moment, with its large values (TOOL-16)")
    func liveStoreIsCopied() throws {
        let gallery = try Gallery()
        let copy = gallery.file("Other.sqlite")
        // Somebody has begun to write, and what they have committed is in the log only.
        let writer = try Connection.open(gallery.store.path)
        defer { writer.close() }
        try writer.execute("UPDATE ZWORK SET ZTITLE = 'in the log' WHERE ZCODE = 'W9'")
        try writer.begin(.immediate)
        try writer.execute("UPDATE ZWORK SET ZTITLE = 'not committed' WHERE ZCODE = 'W0'")
        let outcome = try Tool.run("copy", gallery.store.path, copy.path)
        #expect(outcome.code == 0 && outcome.output == "", "\(outcome.errors)")
        try writer.rollBack()
        let compared = try gallery.run("compare", gallery.store.path, copy.path, "--by", "id")
        #expect(compared.code == 0, "\(compared.output)\(compared.errors)")
        #expect(try Database.text(copy, "SELECT ZTITLE FROM ZWORK WHERE ZCODE = 'W9'") == "in the log")
        let files = try FileManager.default.contentsOfDirectory(
            atPath: gallery.file(".Other_SUPPORT/_EXTERNAL_DATA").path)
        #expect(files.count == 1)
        let taken = try Tool.run("copy", gallery.store.path, copy.path)
        expectRefusal(taken, containing: "it exists already")
        expectRefusal(try Tool.run("copy", gallery.model.path, gallery.file("x").path))
        #expect(!FileManager.default.fileExists(atPath: gallery.file("x").path))
    }

    @Test("a store is copied to another kind, losses are reported, and unknown kinds are named (TOOL-16)")
    func otherKind() throws {
        let gallery = try Gallery()
        let copy = gallery.file("Other.xml")
        let outcome = try gallery.run("copy", gallery.store.path, copy.path)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("an identity of its own"))
        #expect(try Data(contentsOf: copy).starts(with: Data("<?xml".utf8)))
        #expect(try TransferTests.objects(copy.path, gallery) == TransferTests.objects(gallery.store.path, gallery))
        expectRefusal(
            try gallery.run("copy", gallery.store.path, gallery.file("y").path, "--to", "oracle"),
            containing: "sqlite", "xml")
        expectRefusal(
            try gallery.run("copy", gallery.store.path, copy.path), containing: "it exists already")
    }

    @Test("a file is rebuilt unless it is in use, and is smaller then with all its contents (TOOL-16)")
    func fileIsRebuilt() throws {
        let gallery = try Gallery()
        let copy = gallery.file("Other.sqlite")
        #expect(try Tool.run("copy", gallery.store.path, copy.path).code == 0)
        try Database.change(
            gallery.store, "CREATE TABLE filler (a BLOB)", "INSERT INTO filler VALUES (zeroblob(3000000))",
            "DROP TABLE filler", "PRAGMA wal_checkpoint(TRUNCATE)")
        let user = try Connection.open(gallery.store.path)
        _ = try user.value("SELECT count(*) FROM ZWORK")
        expectRefusal(try gallery.run("vacuum", gallery.store.path), containing: "another program has the store open")
        user.close()
        let outcome = try gallery.run("vacuum", gallery.store.path, "--format", "json")
        let sizes: [String: Int] = try outcome.json()
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        #expect((sizes["before"] ?? 0) > 3_000_000 && (sizes["after"] ?? .max) < 400_000, "\(sizes)")
        let compared = try gallery.run("compare", gallery.store.path, copy.path, "--by", "id")
        #expect(compared.code == 0, "\(compared.output)\(compared.errors)")
    }

    @Test("a store with a history is rebuilt with it, and nothing is recorded (TOOL-16)", arguments: [false, true])
    func storeWithHistoryIsRebuilt(keepsOldValues: Bool) throws {
        var options = HistoryModel.options
        options[CoreDataHistoryKeepsOldValuesOption] = keepsOldValues
        let stack = try Stack(HistoryModel.make(), options: options)
        for number in 0..<400 { stack.context.insert("Person", ["name": String(repeating: "n\(number)", count: 200)]) }
        try stack.context.save(as: "one")
        for person in try stack.context.all("Person").dropFirst(3) { stack.context.delete(person) }
        try stack.context.save(as: "two")
        try stack.coordinator.remove(stack.store)
        try Self.expectSmaller(stack.url, counting: ["ZPERSON", "ATRANSACTION", "ACHANGE"])
    }

    @Test(
        "stores with a history that Apple's framework wrote are rebuilt (TOOL-16)",
        .enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)),
        arguments: [
            "plaso-testdata/test_data/ios/RMAdminStore-Local.sqlite",
            "swiftdata-cartkit/Tests/CartKitStorageSwiftDataTests/LegacySwiftData/CartKitSwiftData_v1.sqlite",
            "coredataplus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V2.sqlite",
        ])
    func fixtureWithHistoryIsRebuilt(path: String) throws {
        try Self.expectSmaller(
            Fixtures.copyOfStore("stores/\(path)"), counting: ["Z_PRIMARYKEY", "ATRANSACTION", "ACHANGE"])
    }

    /// Rebuilds a store with free pages, and compares the rows of tables.
    private static func expectSmaller(_ store: URL, counting tables: [String]) throws {
        try Database.change(
            store, "CREATE TABLE filler (a BLOB)", "INSERT INTO filler VALUES (zeroblob(300000))", "DROP TABLE filler",
            "PRAGMA wal_checkpoint(TRUNCATE)")
        func rows() throws -> [String?] {
            try tables.map { try Database.text(store, "SELECT count(*) || ' ' || sum(rowid) FROM \($0)") }
        }
        let before = try rows()
        let outcome = try Tool.run("vacuum", store.path, "--format", "json")
        try #require(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        let sizes: [String: Int] = try outcome.json()
        #expect((sizes["before"] ?? 0) - (sizes["after"] ?? .max) >= 290_000, "\(sizes)")
        #expect(try rows() == before)
    }
}
