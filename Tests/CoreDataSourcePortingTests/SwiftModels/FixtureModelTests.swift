import CoreDataModelCompiler
import Foundation
import TestBasics
import Testing

@testable import CoreDataSourcePorting

/// Models of applications as classes with `@Model`, and read again from these sources.
@Suite struct FixtureModelTests {
    /// The models in a folder of fixtures, each version a URL.
    static func versions(_ folder: String) throws -> [URL] {
        let root = Fixtures.url(folder)
        let names = try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted()
        return names.filter { $0.hasSuffix(".xcdatamodel") }.map { root.appendingPathComponent($0) }
    }

    @Test(
        "models of applications have their version hashes as sources with @Model", .enabled(if: Fixtures.areAvailable))
    func hashesSurviveInSources() throws {
        var (entities, models) = (0, 0)
        for url in TestSeed.sample(try Self.versions("models") + Self.versions("stores"), step: 4) {
            guard let model = try? NSManagedObjectModel(reading: url), !model.entities.isEmpty else { continue }
            let source = SwiftModelSource(of: model, title: "Models of \(url.lastPathComponent)")
            let workshop = try Workshop()
            defer { workshop.remove() }
            try workshop.add("Models.swift", source.text)
            let scan = try ModelClassScan(of: [workshop.folder.path])
            let copy = try #require(scan.versions.first ?? nil, "\(url.path)").model
            let other = Set(source.losses.filter(\.changesHash).compactMap(\.entity))
            models += 1
            for entity in model.entities {
                let line = sequence(first: entity) { $0.superentity }.compactMap(\.name)
                guard let name = entity.name, other.isDisjoint(with: line) else { continue }
                entities += 1
                #expect(
                    copy.entityVersionHashesByName[name] == model.entityVersionHashesByName[name],
                    "\(name) in \(url.path):\n\(source.text)")
            }
        }
        #expect(models >= 25 && entities >= 100, "\(models) models, \(entities) entities")
    }
}
