import Foundation
import TestBasics
import Testing

/// What the package's manifest gives to packages that depend on it.
@Suite struct ManifestTests {
    private struct Manifest: Decodable {
        struct Product: Decodable {
            let name: String
            let targets: [String]
        }
        struct Target: Decodable {
            let name: String
            let dependencies: [Dependency]
        }
        /// A module with the platforms that it is for; nil platforms for all.
        struct Dependency: Decodable {
            struct Condition: Decodable { let platformNames: [String] }
            var name: String?
            var platforms: [String]?

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                guard let key = Key.allCases.first(where: { container.contains($0) }) else { return }
                var parts = try container.nestedUnkeyedContainer(forKey: key)
                name = try parts.decode(String.self)
                platforms = try parts.decodeIfPresent(Condition.self)?.platformNames
            }

            private enum Key: CodingKey, CaseIterable { case target, byName }
        }
        let products: [Product]
        let targets: [Target]

        /// What a build compiles of this package for some targets, by name.
        func closure(_ names: [String]) -> [String] {
            var (found, open) = (Set<String>(), names)
            while let name = open.popLast() {
                guard found.insert(name).inserted, let target = targets.first(where: { $0.name == name }) else {
                    continue
                }
                open += target.dependencies.compactMap(\.name)
            }
            return found.sorted()
        }
    }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func manifest() throws -> Manifest {
        let scratch = try TemporaryFolder()
        let text = try Toolchain.output(
            "env",
            [
                "-u", "OPENCOREDATA_TESTS", "swift", "package", "--package-path", root.path, "--scratch-path",
                scratch.url.path, "dump-package",
            ])
        let json = text.drop { $0 != "{" }
        return try JSONDecoder().decode(Manifest.self, from: Data(json.utf8))
    }

    @Test("the product CoreData holds no module of the name of Apple's framework on Apple's platforms")
    func productIsEmptyOnApplesPlatforms() throws {
        let manifest = try Self.manifest()
        let product = try #require(manifest.products.first { $0.name == "CoreData" })
        #expect(product.targets == ["CoreDataLibrary"])
        let library = try #require(manifest.targets.first { $0.name == "CoreDataLibrary" })
        #expect(library.dependencies.map(\.name) == ["CoreData"])
        let platforms = try #require(library.dependencies.first?.platforms)
        #expect(platforms.contains("linux") && platforms.contains("android"))
        #expect(Set(platforms).isDisjoint(with: ["macos", "maccatalyst", "ios", "tvos", "watchos", "visionos"]))
    }

    @Test("who depends on CoreData compiles neither the browser nor PostgreSQL nor what is for tests (HAZ-61)")
    func productCompilesTheEngineAlone() throws {
        let manifest = try Self.manifest()
        #expect(
            manifest.closure(["CoreDataLibrary"]) == [
                "CSQLite", "CSwiftRuntime", "CZlib", "CoreData", "CoreDataFoundation", "CoreDataGraph",
                "CoreDataLibrary",
                "CoreDataMigration", "CoreDataModeling", "CoreDataRecordStores", "CoreDataSQL", "CoreDataSQLite",
                "CoreDataStore", "SQLiteKit",
            ])
        // The package manager compiles what the plugin runs for itself, beside the same modules for the program.
        #expect(
            manifest.closure(["CoreDataModelPlugin"]) == [
                "CSwiftRuntime", "CZlib", "CoreDataFoundation", "CoreDataModelCompiler", "CoreDataModelPlugin",
                "CoreDataModeling", "CoreDataSourceScanning", "coredata-modelc",
            ])
    }

    @Test("the plugin reads no source of the library's own modules, whichever product a target uses")
    func pluginKnowsTheLibrary() throws {
        let manifest = try Self.manifest()
        let programs = ["coredata", "coredata-port", "coredata-speech", "CoreDataModelPlugin"]
        let modules = manifest.closure(manifest.products.map(\.targets).joined().filter { !programs.contains($0) })
        let source = try String(
            contentsOf: Self.root.appending(path: "Plugins/CoreDataModelPlugin/TargetSources.swift"), encoding: .utf8)
        let list = try #require(source.firstMatch(of: /library: Set = \[([^\]]*)\]/)).1
        #expect(list.matches(of: /"([^"]*)"/).map { String($0.1) }.sorted() == modules)
    }
}
