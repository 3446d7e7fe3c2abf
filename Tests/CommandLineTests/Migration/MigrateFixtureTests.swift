import CoreData
import TestBasics
import Testing

/// `coredata migrate` on stores that Apple's framework wrote with older versions.
@Suite(.enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct MigrateFixtureTests {
    struct Case: CustomTestStringConvertible {
        let store: String
        let package: String
        let entity: String
        let count: Int

        var testDescription: String { store.split(separator: "/").last.map(String.init) ?? store }
    }

    private static let bookmarks = "ddg-browserserviceskit/Sources/Bookmarks/BookmarksModel.xcdatamodeld"
    private static let wibosco = "wibosco-migration-example"

    static let cases =
        (1...5).map { number in
            Case(
                store: "ddg-browserserviceskit/Tests/BookmarksTests/Resources/Bookmarks_V\(number).sqlite",
                package: bookmarks, entity: "BookmarkEntity", count: 10)
        } + [
            Case(
                store: "ddg-browserserviceskit/Tests/DDGSyncTests/Resources/SyncMetadata_V3.sqlite",
                package: "ddg-browserserviceskit/Sources/DDGSync/SyncMetadata.xcdatamodeld",
                entity: "SyncFeatureEntity",
                count: 0),
            Case(
                store: wibosco + "/CoreDataMigration-ExampleTests/Resources/SQLite/CoreDataMigration_Example_3.sqlite",
                package: wibosco + "/CoreDataMigration-Example/CoreData/Model/CoreDataMigration_Example.xcdatamodeld",
                entity: "Post", count: 12),
            Case(
                store: "objcio-issue4/BookMigration/Model1.sqlite",
                package: "objcio-issue4/BookMigration/Model.xcdatamodeld", entity: "Book", count: 4),
        ]

    @Test(
        "Apple's store of any older version becomes one of the newest, with the same counts (MIG-15)", arguments: cases)
    func storeReachesTheNewestVersion(example: Case) throws {
        let store = try Fixtures.copyOfStore("stores/\(example.store)")
        defer { try? FileManager.default.removeItem(at: store.deletingLastPathComponent()) }
        let package = Fixtures.url("stores/\(example.package)").path
        let before = try FolderState(around: store)
        let rehearsed = try Tool.run("migrate", store.path, "--to", package, "--dry-run", "--allow-loss")
        #expect(rehearsed.code == 0, "\(rehearsed.output)\(rehearsed.errors)")
        #expect(try FolderState(around: store) == before)
        let counts = try Self.counts(store, package)
        let migrated = try Tool.run(
            "migrate", store.path, "--to", package, "--allow-loss", "--format", "json")
        #expect(migrated.code == 0, "\(migrated.errors)")
        let report: [String: Any] = try migrated.json()
        let backup = try #require(report["backup"] as? String)
        let after = try Self.counts(store, package)
        #expect(after[example.entity] == counts[example.entity])
        if example.count > 0 { #expect(after[example.entity] == example.count) }
        #expect(try Self.counts(URL(fileURLWithPath: backup), package) == counts)
        let again: [String: Any] = try Tool.run("migrate", store.path, "--to", package, "--format", "json").json()
        #expect(again["result"] as? String == "upToDate")
    }

    /// The number of objects by entity, as `inspect` counts them with the version that fits.
    private static func counts(_ store: URL, _ package: String) throws -> [String: Int] {
        let outcome = try Tool.run("inspect", store.path, "--model", package, "--format", "json")
        try #require(outcome.code == 0, "\(outcome.errors)")
        let report: [String: Any] = try outcome.json()
        let entities = report["entities"] as? [[String: Any]] ?? []
        return Dictionary(
            uniqueKeysWithValues: entities.compactMap { entity in
                guard let name = entity["name"] as? String, let count = entity["count"] as? Int else { return nil }
                return (name, count)
            })
    }
}
