import CoreData
import TestBasics
import Testing

/// The reading commands on every store that Apple's framework wrote.
@Suite(.enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct FixtureStoreTests {
    static let stores: [String] = {
        let root = Fixtures.url("stores").path
        let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".sqlite") || $0.hasSuffix(".CDBStore") }.sorted().map { "stores/\($0)" }
    }()

    @Test(
        "every store is inspected and all its objects are fetched, and it stays as it was (TOOL-16)",
        arguments: TestSeed.sample(stores, step: 3))
    func everyStoreIsReadWhole(path: String) throws {
        let store = try Fixtures.copyOfStore(path)
        defer { try? FileManager.default.removeItem(at: store.deletingLastPathComponent()) }
        let before = try FolderState(around: store)
        let inspected = try Tool.run("inspect", store.path, "--format", "json")
        #expect(inspected.code == 0, "\(inspected.errors)")
        let report: [String: Any] = try inspected.json()
        let entities = try #require(report["entities"] as? [[String: Any]])
        #expect(!entities.isEmpty)
        for entity in entities {
            let name = try #require(entity["name"] as? String)
            let count = try #require(entity["countWithSubentities"] as? Int, "\(name)")
            // A store of 2009 or 2012 has no cached model; its rows are those of its tables.
            guard !(report["model"] is NSNull) else {
                let rows: [[String: Any]] = try Tool.run("fetch", store.path, name, "--raw", "--format", "json").json()
                #expect(rows.count == count, "\(name)")
                continue
            }
            let fetched = try Tool.run("fetch", store.path, name, "--format", "json")
            #expect(fetched.code == 0, "\(name): \(fetched.errors)")
            let objects: [[String: Any]] = try fetched.json()
            #expect(objects.count == count, "\(name)")
            guard let uri = objects.first?["objectID"] as? String else { continue }
            let got: [String: Any] = try Tool.run("get", store.path, uri, "--format", "json").json()
            #expect(NSDictionary(dictionary: got) == NSDictionary(dictionary: objects[0]), "\(uri)")
        }
        #expect(try FolderState(around: store) == before)
    }

    @Test(arguments: [
        ("objcio-issue4/BookMigration/Model1.sqlite", "objcio-issue4/BookMigration/Model.xcdatamodeld", "User"),
        (
            "wibosco-migration-example/CoreDataMigration-ExampleTests/Resources/SQLite/CoreDataMigration_Example_2.sqlite",
            "wibosco-migration-example/CoreDataMigration-Example/CoreData/Model/CoreDataMigration_Example.xcdatamodeld",
            "Post"
        ),
        (
            "xcservercoredata/Tests/XCServerCoreData_1.2.0.sqlite", "xcservercoredata/Tests/XCServerCoreData.momd",
            "Bot"
        ),
    ])
    func versionThatMadeTheStoreIsFoundInItsPackage(store: String, package: String, entity: String) throws {
        let copy = try Fixtures.copyOfStore("stores/\(store)")
        defer { try? FileManager.default.removeItem(at: copy.deletingLastPathComponent()) }
        let model = Fixtures.url("stores/\(package)").path
        let inspected = try Tool.run("inspect", copy.path, "--model", model, "--format", "json")
        #expect(inspected.code == 0, "\(inspected.errors)")
        let report: [String: Any] = try inspected.json()
        let given = try #require(report["model"] as? [String: Any])
        #expect(given["source"] as? String == "given")
        let versions = try #require(given["versions"] as? [[String: Any]])
        #expect(versions.count > 1)
        #expect(versions.first { $0["name"] as? String == given["version"] as? String }?["matches"] as? Bool == true)
        #expect(versions.contains { $0["matches"] as? Bool == false })
        let fetched = try Tool.run("fetch", copy.path, entity, "--model", model, "--format", "json")
        #expect(fetched.code == 0, "\(fetched.errors)")
    }
}
