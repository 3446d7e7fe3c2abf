import CoreDataSQL
import SQLiteKit
import TestBasics
import Testing

@Suite(.enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct AppleStoreTests {
    static let fixtures: [StoreFixture] = {
        let plus = "coredataplus/Tests/Resources/"
        let duck = "ddg-browserserviceskit/"
        let bookmarks = duck + "Sources/Bookmarks/BookmarksModel.xcdatamodeld/BookmarksModel"
        let server = "xcservercoredata/Resources/XCServerCoreData.xcdatamodeld/XCServerCoreData"
        let posts = "wibosco-migration-example/CoreDataMigration-Example"
        let postModel = "CoreData/Model/CoreDataMigration_Example.xcdatamodeld/CoreDataMigration_Example"
        let indexed = [
            ("Bot", "identifier"), ("Commit", "commitHash"), ("Device", "identifier"), ("Integration", "identifier"),
            ("Issue", "identifier"), ("Repository", "identifier"), ("XcodeServer", "fqdn"),
        ]
        let olderNames = indexed.flatMap { entity, property in
            ["Z_\(entity)_\(property)", "Z\(entity.uppercased())_Z\(property.uppercased())_INDEX"]
        }
        let fetchIndexes = indexed.map { "Z_\($0)_by\($1.prefix(1).uppercased())\($1.dropFirst())Index" }
        return [
            StoreFixture(
                plus + "SampleModel/Fixtures/SampleModel_V1.sqlite",
                plus + "SampleModel/SampleModel.xcdatamodeld/SampleModel.xcdatamodel"),
            StoreFixture(
                plus + "SampleModel/Fixtures/SampleModel_V2.sqlite",
                plus + "SampleModel/SampleModel.xcdatamodeld/SampleModel2.xcdatamodel",
                formerNames: ["LuxuryCar": "ExpensiveSportCar"]),
            StoreFixture(plus + "SampleModel2/Fixtures/SampleModel2_V1.sqlite", nil),
            StoreFixture(plus + "SampleModel2/Fixtures/SampleModel2_V2.sqlite", nil),
            StoreFixture(
                plus + "SampleModel3/Fixtures/SampleModel3_V1.sqlite",
                plus + "SampleModel3/SampleModel3.xcdatamodeld/SampleModel3.xcdatamodel"),
            StoreFixture(duck + "Tests/BookmarksTests/Resources/Bookmarks_V1.sqlite", bookmarks + ".xcdatamodel"),
            StoreFixture(duck + "Tests/BookmarksTests/Resources/Bookmarks_V2.sqlite", bookmarks + " 2.xcdatamodel"),
            StoreFixture(duck + "Tests/BookmarksTests/Resources/Bookmarks_V3.sqlite", bookmarks + " 3.xcdatamodel"),
            StoreFixture(duck + "Tests/BookmarksTests/Resources/Bookmarks_V4.sqlite", bookmarks + " 4.xcdatamodel"),
            StoreFixture(duck + "Tests/BookmarksTests/Resources/Bookmarks_V5.sqlite", bookmarks + " 5.xcdatamodel"),
            StoreFixture(
                duck + "Tests/DDGSyncTests/Resources/SyncMetadata_V3.sqlite",
                duck + "Sources/DDGSync/SyncMetadata.xcdatamodeld/SyncMetadata 3.xcdatamodel"),
            StoreFixture(
                "objcio-issue4/BookMigration/Model1.sqlite",
                "objcio-issue4/BookMigration/Model.xcdatamodeld/Model1.xcdatamodel", ["Z_MODELCACHE": .noModelCache]),
            StoreFixture(
                posts + "Tests/Resources/SQLite/CoreDataMigration_Example_1.sqlite",
                posts + "/" + postModel + ".xcdatamodel"),
            StoreFixture(
                posts + "Tests/Resources/SQLite/CoreDataMigration_Example_2.sqlite",
                posts + "/" + postModel + " 2.xcdatamodel"),
            StoreFixture(
                posts + "Tests/Resources/SQLite/CoreDataMigration_Example_3.sqlite",
                posts + "/" + postModel + " 3.xcdatamodel"),
            StoreFixture(
                "xcservercoredata/Tests/XCServerCoreData_1.2.0.sqlite", server + "1.2.0.xcdatamodel",
                all(olderNames, .olderIndexName)),
            StoreFixture(
                "xcservercoredata/Tests/XCServerCoreData_2.0.0_empty.sqlite", server + "2.0.0.xcdatamodel",
                all(fetchIndexes, .compiledWithoutFetchIndexes)),
        ]
    }()

    private static func all(_ names: [String], _ reason: StoreFixture.Reason) -> [String: StoreFixture.Reason] {
        Dictionary(uniqueKeysWithValues: names.map { ($0, reason) })
    }

    /// Everything in the database by name, without what belongs to the history.
    private func statements(_ catalog: Catalog) -> [String: String] {
        let items =
            catalog.tables.map { ($0.name, $0.sql) } + (catalog.indexes + catalog.triggers).map { ($0.name, $0.sql) }
        return Dictionary(items, uniquingKeysWith: { first, _ in first }).filter { !Self.isHistory($0.key) }
    }

    private static func isHistory(_ name: String) -> Bool { name.hasPrefix("A") || name.hasPrefix("Z_TRANSACTION") }

    @Test("the statements of each store are those that we make of its model (STO-13, STO-19)", arguments: fixtures)
    func statementsAreThoseOfTheStore(fixture: StoreFixture) throws {
        let store = try fixture.open()
        let theirs = statements(try store.catalog())
        let ours = statements(try Connection.made(of: try fixture.schema(store)).catalog())
        let different = Set(theirs.keys).union(ours.keys).filter { theirs[$0] != ours[$0] }
        for name in different where fixture.exceptions[name] == nil {
            Issue.record("\(name): \(theirs[name] ?? "missing there") / \(ours[name] ?? "missing here")")
        }
        #expect(different == Set(fixture.exceptions.keys))
        #expect(theirs.count > 3)
    }

    @Test("the model that a store carries gives the same tables as its source", arguments: fixtures)
    func carriedModelGivesTheSameTables(fixture: StoreFixture) throws {
        let store = try fixture.open()
        guard fixture.exceptions["Z_MODELCACHE"] == nil else { return }
        let (carried, source) = (try StoreFixture.cachedSchema(store), try fixture.schema(store))
        #expect(carried.tables == source.tables)
        #expect(carried.entities == source.entities)
        #expect(carried.triggers == source.triggers)
    }

    @Test("the rows of Z_PRIMARYKEY are those of each store", arguments: fixtures)
    func primaryKeyRowsAreThoseOfTheStore(fixture: StoreFixture) throws {
        let store = try fixture.open()
        let rows = try store.rows("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY Z_ENT")
        let ours = try fixture.schema(store).primaryKeyRows
        let expected: [[Value]] = ours.map { row in
            let name = fixture.formerNames[row.name] ?? row.name
            return [.integer(Int64(row.number)), .text(name), .integer(Int64(row.superNumber))]
        }
        #expect(rows == expected)
        #expect(!rows.isEmpty)
    }

    @Test("each store resolves without a difference", arguments: fixtures)
    func storeResolvesWithoutADifference(fixture: StoreFixture) throws {
        let store = try fixture.open()
        let schema = try fixture.schema(store)
        let rows = try store.rows("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY")
        let numbers = Dictionary(
            uniqueKeysWithValues: rows.compactMap { row in row[0].text.map { ($0, Int(row[1].integer ?? 0)) } })
        let resolution = schema.resolved(against: try store.catalog().asDatabaseCatalog(numbers: numbers))
        #expect(
            resolution.differences
                == fixture.formerNames.map { SchemaDifference.formerName(entity: $0, recorded: $1) })
        #expect(resolution.schema == schema)
    }

    @Test("tables, indexes and triggers come in the order of a newer store")
    func orderIsThatOfANewerStore() throws {
        let fixture = try #require(Self.fixtures.first { $0.path.hasSuffix("SampleModel2_V1.sqlite") })
        let store = try fixture.open()
        let names = "SELECT name FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
        let theirs = try store.rows(names).compactMap { $0[0].text }.filter { !Self.isHistory($0) }
        let ours = try Connection.made(of: try fixture.schema(store)).rows(names).compactMap { $0[0].text }
        #expect(theirs == ours)
    }

    @Test("triggers of a store by Apple's framework are known, others are not (HAZ-10)")
    func triggersOfTheStoreAreKnown() throws {
        let fixture = try #require(Self.fixtures.first { $0.path.hasSuffix("SampleModel2_V1.sqlite") })
        let store = try fixture.open()
        let theirs = try store.catalog().triggers.map(\.sql)
        let hostile = "CREATE TRIGGER x AFTER INSERT ON ZBOOK BEGIN DELETE FROM ZPAGE; END"
        #expect(theirs.count == 5)
        #expect(try fixture.schema(store).unknownTriggers(among: theirs + [hostile]) == [hostile])
    }
}
