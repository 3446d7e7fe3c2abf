import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing
import VersionSketches

/// Stores that Apple's framework made, led to every later version of their models.
@Suite(.enabled(if: Fixtures.areAvailable, "\(Fixtures.missing)"))
struct AppleStoreMigrationTests {
    /// A store, and the package that has its version and later ones.
    struct Case: Sendable, CustomTestStringConvertible {
        let store: String
        let package: String
        var testDescription: String { store.split(separator: "/").last.map(String.init) ?? store }
    }

    private static let bookmarks = "stores/ddg-browserserviceskit/Tests/BookmarksTests/Resources/Bookmarks_V"
    private static let wibosco = "stores/wibosco-migration-example"
    private static let examples =
        "\(wibosco)/CoreDataMigration-ExampleTests/Resources/SQLite/CoreDataMigration_Example_"
    private static let sample = "stores/coredataplus/Tests/Resources/SampleModel"

    static let cases: [Case] =
        (1...5).map {
            Case(
                store: "\(bookmarks)\($0).sqlite",
                package: "stores/ddg-browserserviceskit/Sources/Bookmarks/BookmarksModel.xcdatamodeld")
        }
        + (1...3).map {
            Case(
                store: "\(examples)\($0).sqlite",
                package: "\(wibosco)/CoreDataMigration-Example/CoreData/Model/CoreDataMigration_Example.xcdatamodeld")
        }
        + [
            Case(
                store: "stores/ddg-browserserviceskit/Tests/DDGSyncTests/Resources/SyncMetadata_V3.sqlite",
                package: "stores/ddg-browserserviceskit/Sources/DDGSync/SyncMetadata.xcdatamodeld"),
            Case(
                store: "\(sample)/Fixtures/SampleModel_V1.sqlite", package: "\(sample)/SampleModel.xcdatamodeld"),
            Case(
                store: "\(sample)/Fixtures/SampleModel_V2.sqlite", package: "\(sample)/SampleModel.xcdatamodeld"),
            Case(
                store: "\(sample)3/Fixtures/SampleModel3_V1.sqlite",
                package: "\(sample)3/SampleModel3.xcdatamodeld"),
            Case(
                store: "stores/objcio-issue4/BookMigration/Model1.sqlite",
                package: "stores/objcio-issue4/BookMigration/Model.xcdatamodeld"),
            Case(
                store: "stores/xcservercoredata/Tests/XCServerCoreData_1.2.0.sqlite",
                package: "stores/xcservercoredata/Resources/XCServerCoreData.xcdatamodeld"),
        ]

    @Test(
        "a store of Apple's reaches each version that inference leads to, with every value accounted for (MIG-01, MIG-15)",
        arguments: cases)
    func everyLaterVersion(_ fixture: Case) throws {
        let versions = try ModelLocation.versions(in: Fixtures.url(fixture.package)).map {
            try NSManagedObjectModel(reading: $0)
        }
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: Fixtures.copyOfStore(fixture.store))
        let own = try #require(
            versions.first { $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) },
            "no version of the package is the store's")
        var migrated = 0
        for version in versions where version.entityVersionHashesByName != own.entityVersionHashesByName {
            let url = try Fixtures.copyOfStore(fixture.store)
            let before = try StoreContents(at: url, own)
            let analysis = MigrationAnalysis(from: own, to: version)
            let options = MigrationScene.automatic.merging([
                CoreDataMigrationResourcesOption: [Fixtures.url(fixture.package)]
            ]) { $1 }
            guard analysis.obstacles.isEmpty else {
                expectError(MigrationAnalysis.refusalCode(analysis.obstacles)) {
                    _ = try Stack(version, url: url, options: options)
                }
                #expect(try StoreContents(at: url, own) == before)
                continue
            }
            let stack = try Stack(version, url: url, options: options)
            try stack.coordinator.remove(stack.store)
            let after = try StoreContents(at: url, version)
            #expect(after.differences(from: before, own, version) == [])
            let connection = try Connection.open(url.path)
            #expect(try connection.integrityFaults() == [])
            migrated += 1
        }
        #expect(migrated > 0 || versions.count < 3, "no version was reached")
    }
}

/// All values and links of a store, by entity and key.
struct StoreContents: Equatable {
    /// By entity, key and attribute.
    var values: [String: [Int64: [String: String]]] = [:]
    /// By entity, key and relationship: `Entity/key` of each member.
    var links: [String: [Int64: [String: Set<String>]]] = [:]

    init(at url: URL, _ model: NSManagedObjectModel) throws {
        let stack = try Stack(model, url: url, options: [NSPersistentHistoryTrackingKey: true])
        defer { try? stack.coordinator.remove(stack.store) }
        for entity in model.entities where !entity.isAbstract {
            let name = entity.name ?? ""
            let request = NSFetchRequest<NSManagedObject>(entityName: name)
            request.includesSubentities = false
            (values[name], links[name]) = ([:], [:])
            for object in try stack.context.fetch(request) {
                var texts: [String: String] = [:]
                for (key, attribute) in entity.attributesByName where !attribute.isTransient {
                    texts[key] = SampleValue.text(object.value(forKey: key))
                }
                var members: [String: Set<String>] = [:]
                for (key, relationship) in entity.relationshipsByName where !relationship.isTransient {
                    let value = object.value(forKey: key)
                    let objects =
                        (value as? Set<NSManagedObject>).map(Array.init)
                        ?? (value as? NSOrderedSet)?.array as? [NSManagedObject]
                        ?? (value as? NSManagedObject).map { [$0] } ?? []
                    members[key] = Set(objects.map { "\($0.entity.name ?? "")/\($0.rowKey)" })
                }
                values[name]?[object.rowKey] = texts
                links[name]?[object.rowKey] = members
            }
        }
    }

    /// What is not as the store of before, as far as there is a counterpart; lines.
    func differences(
        from before: StoreContents, _ old: NSManagedObjectModel, _ new: NSManagedObjectModel
    ) -> [String] {
        let matching = ModelMatching(old, new)
        let names = Dictionary(
            matching.entities.map { ($0.old.name ?? "", $0.new.name ?? "") }, uniquingKeysWith: { first, _ in first })
        var lines: [String] = []
        for (was, now) in matching.entities where !was.isAbstract && !now.isAbstract {
            let (former, present) = (before.values[was.name ?? ""] ?? [:], values[now.name ?? ""] ?? [:])
            if Set(former.keys) != Set(present.keys) {
                lines.append("\(now.name ?? ""): \(present.count) rows instead of \(former.count)")
            }
            for pair in ModelMatching.properties(was, now) where pair.old.isStored && pair.new.isStored {
                for (key, row) in former {
                    if pair.new is NSAttributeDescription {
                        guard let value = row[pair.old.name], value != "nil" else { continue }
                        let found = present[key]?[pair.new.name] ?? "nothing"
                        if found != value { lines.append("\(now.name ?? "").\(pair.new.name) of \(key)") }
                    } else {
                        let members = before.links[was.name ?? ""]?[key]?[pair.old.name] ?? []
                        let kept = members.compactMap { member -> String? in
                            let parts = member.split(separator: "/")
                            return names[String(parts[0])].map { "\($0)/\(parts[1])" }
                        }
                        let found = links[now.name ?? ""]?[key]?[pair.new.name] ?? []
                        if found != Set(kept) { lines.append("\(now.name ?? "").\(pair.new.name) of \(key)") }
                    }
                }
            }
        }
        return Array(lines.prefix(10))
    }
}
