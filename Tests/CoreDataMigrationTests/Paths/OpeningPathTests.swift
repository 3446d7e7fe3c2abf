import CoreData
import StoreContract
import TestBasics
import Testing

@testable import CoreDataMigration

/// Stores that reach the newest version over others when they are opened.
@Suite struct OpeningPathTests {
    init() {
        ObjectClassResolver.register(module: "CoreDataMigrationTests")
        PostSectionsPolicy.register(named: "CoreDataMigration_Example.Post2ToPost3MigrationPolicy")
    }

    private static let posts = "stores/wibosco-migration-example"

    @Test(
        "blogs of each old version reach the newest when they are opened, by inference and a mapping model (MIG-15)",
        .enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)), arguments: [1, 2, 3])
    func blogsOfEachOldVersionReachNewestWhenTheyAreOpened(version: Int) throws {
        let folder = "\(Self.posts)/CoreDataMigration-Example/CoreData"
        let package = Fixtures.url("\(folder)/Model/CoreDataMigration_Example.xcdatamodeld")
        let versions = try ModelLocation.versions(in: package).map { try NSManagedObjectModel(reading: $0) }
        let newest = try #require(versions.last { $0.entitiesByName["Section"] != nil } ?? versions.last)
        let url = try Fixtures.copyOfStore(
            "\(Self.posts)/CoreDataMigration-ExampleTests/Resources/SQLite/CoreDataMigration_Example_\(version).sqlite")
        let options = MigrationScene.automatic.merging([
            CoreDataMigrationResourcesOption: [package, Fixtures.url("\(folder)/Migration/Mappings")]
        ]) { $1 }
        let stack = try Stack(newest, url: url, options: options)
        defer { try? stack.coordinator.remove(stack.store) }
        let posts = try stack.context.all("Post")
        #expect(posts.count == [10, 10, 12][version - 1])
        let bodies = try stack.context.all("Section").compactMap { $0.value(forKey: "body") as? String }
        #expect(!bodies.isEmpty && bodies.allSatisfy { !$0.isEmpty })
        // Nothing but the store is left.
        let left = try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
        #expect(left.allSatisfy { $0.hasPrefix(url.lastPathComponent) }, "\(left)")
    }

    @Test(
        "cars of version 1 reach version 3 over version 2, of which nothing leads there by inference (MIG-15)",
        .enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
    func carsOfVersion1ReachVersion3OverVersion2() throws {
        let folder = MigrationFixture.coreDataPlus
        let package = Fixtures.url("\(folder)/SampleModel.xcdatamodeld")
        let versions = try ModelLocation.versions(in: package).map { try NSManagedObjectModel(reading: $0) }
        let newest = try #require(versions.first { $0.entitiesByName["Maker"] != nil })
        let url = try Fixtures.copyOfStore("\(folder)/Fixtures/SampleModel_V1.sqlite")
        let options = MigrationScene.automatic.merging([
            CoreDataMigrationResourcesOption: [package, Fixtures.url("\(folder)/MappingModels")]
        ]) { $1 }
        let stack = try Stack(newest, url: url, options: options)
        defer { try? stack.coordinator.remove(stack.store) }
        #expect(try stack.context.all("Car").count > 0)
        #expect(try stack.context.all("Maker").count > 0)
    }

    // MARK: Paths

    private static func version(_ number: Int) -> NSManagedObjectModel {
        MigrationScene.model { temporary in
            // The type changes in each version, so nothing can be inferred.
            let types: [NSAttributeType] = [
                .stringAttributeType, .integer32AttributeType, .dateAttributeType, .UUIDAttributeType,
            ]
            temporary.entity("Thing", ["value": types[number]])
        }
    }

    private static func path(
        _ versions: [NSManagedObjectModel], isInferring: Bool = true, _ steps: [(Int, Int)]
    ) throws -> [(Int, Int)] {
        let sums = versions.map(\.versionChecksum)
        let path = try MigrationPath(
            from: versions[0], to: versions[versions.count - 1], isInferring: isInferring, known: versions,
            mapping: { old, new in
                steps.contains { sums[$0.0] == old.versionChecksum && sums[$0.1] == new.versionChecksum }
                    ? NSMappingModel() : nil
            }, url: URL(fileURLWithPath: "/store"))
        return path.legs.map { leg in
            (
                sums.firstIndex(of: leg.source.versionChecksum) ?? -1,
                sums.firstIndex(of: leg.destination.versionChecksum) ?? -1
            )
        }
    }

    @Test("with mapping models for neighbours only, 101 to 102 to 103 is found; the fewest are taken (MIG-15)")
    func withMappingModelsForNeighbours() throws {
        let versions = (0..<4).map(Self.version)
        let chain = try Self.path(versions, [(0, 1), (1, 2), (2, 3)])
        #expect(chain.map(\.0) == [0, 1, 2] && chain.map(\.1) == [1, 2, 3])
        let short = try Self.path(versions, [(0, 1), (1, 2), (2, 3), (1, 3)])
        #expect(short.map(\.1) == [1, 3])
        let direct = try Self.path(versions, [(0, 1), (1, 2), (2, 3), (0, 3)])
        #expect(direct.map(\.1) == [3])
    }

    @Test("the path that is taken is said in one line (MIG-15)") func pathIsSaid() throws {
        let versions = (0..<3).map(Self.version)
        for (number, model) in versions.enumerated() { model.versionIdentifiers = ["Version \(number + 1)"] }
        let path = try MigrationPath(
            from: versions[0], to: versions[2], isInferring: true, known: versions,
            mapping: { old, new in
                old.versionIdentifiers == ["Version 1"] && new.versionIdentifiers == ["Version 3"]
                    ? nil : NSMappingModel()
            }, url: URL(fileURLWithPath: "/store"))
        let line = MigrationDebug.line(path, of: URL(fileURLWithPath: "/store"))
        #expect(line == "'/store' goes from Version 1 in 2 steps: mapped to Version 2, mapped to Version 3")
        versions[0].versionIdentifiers = []
        #expect(MigrationDebug.name(of: versions[0]) == String(versions[0].versionChecksum.prefix(8)))
    }

    @Test("cycles end, and no way is 134140, with the cause beneath where it was inferred (MIG-10, MIG-15)")
    func noWay() throws {
        let versions = (0..<4).map(Self.version)
        let cycle = [(0, 1), (1, 2), (2, 0), (1, 0), (2, 1), (3, 0)]
        let error = expectError(134140) { try Self.path(versions, cycle) }
        #expect(error?.localizedDescription.contains("Thing.value") == true)
        expectError(134140) { try Self.path(versions, isInferring: false, cycle) }
    }

    @Test("a way over a model that has nothing of what is wanted is not taken (MIG-15)")
    func noWayOverStrangers() throws {
        let stranger = MigrationScene.model { $0.entity("Other", ["x": .stringAttributeType]) }
        let versions = [Self.version(0), stranger, Self.version(1)]
        expectError(134140) { try Self.path(versions, []) }
    }
}
