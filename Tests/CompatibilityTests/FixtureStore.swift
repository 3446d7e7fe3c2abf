import CoreData
import SQLiteKit
import TestBasics
import Testing

/// A store that Apple's framework wrote, and where its model comes from.
struct FixtureStore: CustomTestStringConvertible, Sendable {
    let path: String
    /// The model's source, below the folder of stores; nil where only the store itself has it.
    let source: String?
    /// Whether the model is taken from the store itself.
    var usesCachedModel = false

    var testDescription: String {
        "\(path.split(separator: "/").last ?? "") \(usesCachedModel ? "(its own model)" : "(model source)")"
    }

    /// The seventeen stores of 2013 and later.
    static let all: [FixtureStore] = {
        let plus = "coredataplus/Tests/Resources/"
        let duck = "ddg-browserserviceskit/"
        let post = "wibosco-migration-example/CoreDataMigration-Example"
        let server = "xcservercoredata/"
        func bookmarks(_ version: Int) -> FixtureStore {
            .init(
                path: "\(duck)Tests/BookmarksTests/Resources/Bookmarks_V\(version).sqlite",
                source: "\(duck)Sources/Bookmarks/BookmarksModel.xcdatamodeld/BookmarksModel"
                    + (version == 1 ? "" : " \(version)") + ".xcdatamodel")
        }
        func example(_ version: Int) -> FixtureStore {
            .init(
                path: "\(post)Tests/Resources/SQLite/CoreDataMigration_Example_\(version).sqlite",
                source: "\(post)/CoreData/Model/CoreDataMigration_Example.xcdatamodeld/CoreDataMigration_Example"
                    + (version == 1 ? "" : " \(version)") + ".xcdatamodel")
        }
        let single = [
            FixtureStore(
                path: plus + "SampleModel/Fixtures/SampleModel_V1.sqlite",
                source: plus + "SampleModel/SampleModel.xcdatamodeld/SampleModel.xcdatamodel"),
            FixtureStore(
                path: plus + "SampleModel/Fixtures/SampleModel_V2.sqlite",
                source: plus + "SampleModel/SampleModel.xcdatamodeld/SampleModel2.xcdatamodel"),
            FixtureStore(path: plus + "SampleModel2/Fixtures/SampleModel2_V1.sqlite", source: nil),
            FixtureStore(path: plus + "SampleModel2/Fixtures/SampleModel2_V2.sqlite", source: nil),
            FixtureStore(
                path: plus + "SampleModel3/Fixtures/SampleModel3_V1.sqlite",
                source: plus + "SampleModel3/SampleModel3.xcdatamodeld/SampleModel3.xcdatamodel"),
            FixtureStore(
                path: duck + "Tests/DDGSyncTests/Resources/SyncMetadata_V3.sqlite",
                source: duck + "Sources/DDGSync/SyncMetadata.xcdatamodeld/SyncMetadata 3.xcdatamodel"),
            FixtureStore(
                path: server + "Tests/XCServerCoreData_1.2.0.sqlite",
                source: server + "Resources/XCServerCoreData.xcdatamodeld/XCServerCoreData1.2.0.xcdatamodel"),
            FixtureStore(
                path: server + "Tests/XCServerCoreData_2.0.0_empty.sqlite",
                source: server + "Resources/XCServerCoreData.xcdatamodeld/XCServerCoreData2.0.0.xcdatamodel"),
            FixtureStore(
                path: "objcio-issue4/BookMigration/Model1.sqlite",
                source: "objcio-issue4/BookMigration/Model.xcdatamodeld/Model1.xcdatamodel"),
        ]
        return single + (1...5).map(bookmarks) + (1...3).map(example)
    }()

    /// Every store with every model that can be had for it: 15 sources and 16 cached models.
    static let withEachModel: [FixtureStore] = all.flatMap { store in
        var cached = store
        cached.usesCachedModel = true
        let hasCache = !store.path.hasSuffix("/Model1.sqlite")
        return (store.source == nil ? [] : [store]) + (hasCache ? [cached] : [])
    }

    /// Every store once.
    static let eachOnce: [FixtureStore] = all.map { store in
        var copy = store
        copy.usesCachedModel = store.source == nil
        return copy
    }

    static func named(_ name: String) throws -> FixtureStore {
        try #require(eachOnce.first { $0.path.hasSuffix(name) })
    }

    func copy() throws -> URL { try Fixtures.copyOfStore("stores/" + path) }

    /// Opens a copy that can be written: one with persistent history goes on with it.
    func openForWriting() throws -> OpenStore {
        let url = try copy()
        return try OpenStore(url, model: model(at: url), Self.optionsForWriting(url))
    }

    static func optionsForWriting(_ url: URL) throws -> [AnyHashable: Any]? {
        let connection = try Connection.open(url.path)
        defer { connection.close() }
        return try connection.catalog().table("ATRANSACTION") == nil ? nil : [NSPersistentHistoryTrackingKey: true]
    }

    func model(at url: URL) throws -> NSManagedObjectModel {
        if usesCachedModel { return try #require(try StoreFile.cachedModel(at: url)) }
        return try NSManagedObjectModel(reading: Fixtures.url("stores/" + (try #require(source))))
    }

    func open(_ options: [AnyHashable: Any]? = nil) throws -> OpenStore {
        let url = try copy()
        return try OpenStore(url, model: model(at: url), options)
    }
}
