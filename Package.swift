// swift-tools-version: 6.2
// The modules and what each may import: see Docs/Architecture.md. Scripts/check-layers compares the imports with the same
// table.
import Foundation
import PackageDescription

/// Where the toolchain keeps the SwiftSyntax that it was made with, found from the libraries that this manifest runs with.
let toolchainSyntax: String = {
    let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
    let libraries = maps.split(separator: "\n").compactMap { $0.split(separator: " ").last }
    let own = libraries.lazy.compactMap { path in path.range(of: "/lib/swift/").map { path[..<$0.lowerBound] } }
    return (own.first ?? "/usr") + "/lib/swift/host"
}()
let syntaxModules = ["SwiftSyntax", "SwiftParser", "SwiftIfConfig", "SwiftDiagnostics", "SwiftOperators"]

/// Whether others take the package by its version: they may have a newer compiler with more warnings, and build systems that
/// silence a dependency's warnings refuse to be told besides that they are errors.
let isDependency = Context.packageDirectory.contains("/checkouts/")

let strict: [SwiftSetting] =
    [.swiftLanguageMode(.v6), .enableUpcomingFeature("MemberImportVisibility")]
    + (isDependency ? [] : [.treatAllWarnings(as: .error), .treatWarning("DeprecatedDeclaration", as: .warning)])

/// A module of the library, with the dependencies that Docs/Architecture.md allows it.
func libraryTarget(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// The tests of a module; `data` are the folders of files that tests read and write by their paths.
func tests(_ name: String, _ dependencies: [Target.Dependency], data: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: data, swiftSettings: strict)
}

/// A program of Examples/ as a module that tests can import, with classes that the build makes from its model.
func sample(_ name: String) -> Target {
    .target(
        name: name + "Sample", dependencies: ["CoreData"], path: "Examples/\(name)/Sources", exclude: ["Terminal"],
        swiftSettings: strict, plugins: ["CoreDataModelPlugin"])
}

/// A program of Examples/ with a kind of store of its own, whose model is made in code.
func storeSample(_ name: String) -> Target {
    .target(
        name: name + "Sample", dependencies: ["CoreData"], path: "Examples/\(name)/Sources", exclude: ["Terminal"],
        swiftSettings: strict)
}

/// Where the library is built for those who depend on it: on Apple's platforms a module `CoreData` would stand before
/// Apple's framework of the same name.
let elsewhere: [Platform] = [.linux, .android, .windows, .wasi, .openbsd, .custom("freebsd")]

let package = Package(
    name: "OpenCoreData",
    products: [
        .library(name: "CoreData", targets: ["CoreDataLibrary"]),
        .library(name: "CoreDataPostgres", targets: ["CoreDataPostgres"]),
        .library(name: "CoreDataTestSupport", targets: ["CoreDataTestSupport"]),
        .library(name: "CoreDataBrowser", targets: ["CoreDataBrowser"]),
        .library(name: "CoreDataBrowserServer", targets: ["CoreDataBrowserServer"]),
        .executable(name: "coredata", targets: ["coredata"]),
        .executable(name: "coredata-port", targets: ["coredata-port"]),
        .plugin(name: "CoreDataModelPlugin", targets: ["CoreDataModelPlugin"]),
    ],
    traits: [
        .trait(
            name: "SendableBlocks",
            description:
                "Blocks of perform and its kin must be @Sendable, and their results Sendable, as in Apple's 26 SDK."),
        .trait(
            name: "PlainLayouts",
            description:
                "Nothing relies on how the compiler, the runtime or Foundation lay objects out: slower, for systems "
                + "and toolchains that nobody has tried."),
    ],
    targets: [
        .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),
        .target(name: "CMicroHTTPD", linkerSettings: [.linkedLibrary("microhttpd")]),
        .target(name: "CPostgres", linkerSettings: [.linkedLibrary("pq")]),
        .target(name: "CSwiftRuntime"),
        .target(name: "CFaultVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
        libraryTarget("CoreDataFoundation", ["CSwiftRuntime"]),
        libraryTarget("SQLiteKit", ["CSQLite"]),
        libraryTarget("PostgresKit", ["CPostgres"]),
        libraryTarget("CoreDataModeling", ["CoreDataFoundation", "CZlib", "CSwiftRuntime"]),
        .target(
            name: "CoreDataSourceScanning", dependencies: ["CoreDataModelCompiler"],
            swiftSettings: strict + [.unsafeFlags(["-I", toolchainSyntax])],
            linkerSettings: [
                .unsafeFlags(
                    ["-L", toolchainSyntax] + syntaxModules.map { "-l\($0)" }
                        + ["-Xlinker", "-rpath", "-Xlinker", toolchainSyntax])
            ]),
        .testTarget(
            name: "CoreDataSourceScanningTests", dependencies: ["CoreDataSourceScanning", "CoreDataTestSupport"],
            swiftSettings: strict + [.unsafeFlags(["-I", toolchainSyntax])]),
        .target(
            name: "CoreDataSourcePorting", dependencies: ["CoreDataModelCompiler"],
            swiftSettings: strict + [.unsafeFlags(["-I", toolchainSyntax])],
            linkerSettings: [
                .unsafeFlags(
                    ["-L", toolchainSyntax, "-lSwiftSyntax", "-lSwiftParser"]
                        + ["-Xlinker", "-rpath", "-Xlinker", toolchainSyntax])
            ]),
        .testTarget(
            name: "CoreDataSourcePortingTests",
            dependencies: ["CoreDataSourcePorting", "CoreData", "CoreDataTestSupport"],
            exclude: ["Samples"], swiftSettings: strict + [.unsafeFlags(["-I", toolchainSyntax])]),
        libraryTarget("CoreDataStore", ["CoreDataModeling", "CSwiftRuntime"]),
        libraryTarget("CoreDataRecordStores", ["CoreDataStore", "CZlib"]),
        libraryTarget("CoreDataGraph", ["CoreDataRecordStores", "CSwiftRuntime"]),
        libraryTarget("CoreDataModelCompiler", ["CoreDataModeling"]),
        libraryTarget("CoreDataModelEditing", ["CoreDataModeling"]),
        libraryTarget("CoreDataSQL", ["CoreDataStore"]),
        libraryTarget("CoreDataSQLite", ["CoreDataSQL", "SQLiteKit"]),
        libraryTarget("CoreDataPostgres", ["CoreDataSQL", "CoreDataRecordStores", "PostgresKit"]),
        libraryTarget("CoreDataMigration", ["CoreDataGraph"]),
        libraryTarget("CoreData", ["CoreDataGraph", "CoreDataSQLite", "CoreDataMigration"]),
        libraryTarget("CoreDataLibrary", [.target(name: "CoreData", condition: .when(platforms: elsewhere))]),
        libraryTarget("CoreDataMigrationChecks", ["CoreDataGraph"]),
        libraryTarget("CoreDataInspection", ["CoreData", "CoreDataMigrationChecks", "SQLiteKit"]),
        .target(
            name: "CoreDataBrowser",
            dependencies: ["CoreDataInspection", "CoreDataModelCompiler", "CoreDataModelEditing"],
            resources: [.copy("Assets")], swiftSettings: strict),
        libraryTarget("CoreDataBrowserServer", ["CoreDataBrowser", "CMicroHTTPD"]),
        .executableTarget(
            name: "coredata",
            dependencies: [
                "CoreDataInspection", "CoreDataBrowserServer", "CoreDataModelCompiler", "CoreDataModelEditing",
                "CoreDataPostgres",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "coredata-port", dependencies: ["CoreDataSourcePorting"],
            swiftSettings: strict + [.unsafeFlags(["-I", toolchainSyntax])]),
        .executableTarget(
            name: "coredata-modelc", dependencies: ["CoreDataSourceScanning"],
            swiftSettings: strict + [.unsafeFlags(["-I", toolchainSyntax])]),
        .plugin(name: "CoreDataModelPlugin", capability: .buildTool(), dependencies: ["coredata-modelc"]),
        libraryTarget("CoreDataTestSupport", ["CoreDataGraph", "CoreDataMigrationChecks", "SQLiteKit"]),
        .target(
            name: "WriteScenarios", dependencies: ["CoreData", "CoreDataTestSupport", "CSQLite"],
            path: "Tests/WriteScenarios", swiftSettings: strict),
        .target(
            name: "VersionSketches", dependencies: ["CoreData", "CoreDataTestSupport"],
            path: "Tests/VersionSketches", swiftSettings: strict),
        .executableTarget(
            name: "StoreChild", dependencies: ["CoreData", "CSQLite", "WriteScenarios"], path: "Tests/StoreChild",
            swiftSettings: strict),
        .executableTarget(
            name: "ServerChild", dependencies: ["CoreData", "CoreDataPostgres", "WriteScenarios"],
            path: "Tests/ServerChild", swiftSettings: strict),
        // Faults, kills and damaged files in processes of their own: see Scripts/torture.
        .executableTarget(
            name: "Torture", dependencies: ["CoreData", "CFaultVFS", "CSQLite", "SQLiteKit", "WriteScenarios"],
            path: "Tests/Torture", swiftSettings: strict),
        // The table of speed beside plain C: see Scripts/bench.
        .target(
            name: "CRawBaseline", path: "Benchmarks/Sources/CRawBaseline", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(
            name: "CRawPostgres", path: "Benchmarks/Sources/CRawPostgres",
            cSettings: [.unsafeFlags(["-I/usr/include/postgresql"])],
            linkerSettings: [.linkedLibrary("pq"), .linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "CoreDataBenchmarks",
            dependencies: [
                "CoreData", "CoreDataBrowser", "CoreDataPostgres", "CoreDataTestSupport", "CRawBaseline",
                "CRawPostgres",
            ],
            path: "Benchmarks/Sources/CoreDataBenchmarks", swiftSettings: strict),
        // The examples as modules that tests can import; the programs that read the terminal are packages in Examples/.
        .target(
            name: "ConflicterSample", dependencies: ["CoreData"], path: "Examples/Conflicter/Sources",
            exclude: ["Terminal"], resources: [.copy("Model/Conflicter.xcdatamodeld")], swiftSettings: strict),
        .target(
            name: "SuperDBSample", dependencies: ["CoreData"], path: "Examples/SuperDB/Sources/Heroes",
            swiftSettings: strict),
        sample("RandomPeople"),
        sample("RandomDates"),
        sample("TemplateProject"),
        sample("NoteCollector"),
        sample("MyStuff"),
        .target(
            name: "Behaviours", dependencies: ["CoreData"], path: "Conformance/Sources/Behaviours",
            swiftSettings: strict),
        storeSample("JSONFolder"),
        storeSample("RemoteNotes"),
        tests(
            "ExampleTests",
            [
                "Behaviours", "CoreData", "CoreDataBrowserServer", "CoreDataTestSupport", "RandomPeopleSample",
                "ConflicterSample", "RandomDatesSample",
                "TemplateProjectSample", "NoteCollectorSample", "MyStuffSample", "JSONFolderSample",
                "RemoteNotesSample",
            ]),
        tests("CoreDataFoundationTests", ["CoreDataFoundation", "CoreDataTestSupport"]),
        tests("SQLiteKitTests", ["SQLiteKit", "CoreDataTestSupport"]),
        tests("CoreDataModelingTests", ["CoreDataModeling", "CZlib", "CSQLite", "CoreDataTestSupport"]),
        tests("CoreDataModelEditingTests", ["CoreDataModelEditing", "CoreDataTestSupport"]),
        tests(
            "CoreDataModelCompilerTests", ["CoreData", "CoreDataModelCompiler", "CoreDataTestSupport"], data: ["Golden"]
        ),
        // Models that the package's own plugin compiles, in a library and in the tests themselves.
        .target(
            name: "GeneratedModel", dependencies: ["CoreData"], path: "Tests/GeneratedModel", swiftSettings: strict,
            plugins: ["CoreDataModelPlugin"]),
        .testTarget(
            name: "GeneratedClassTests", dependencies: ["CoreData", "GeneratedModel"], swiftSettings: strict,
            plugins: ["CoreDataModelPlugin"]),
        // Classes with @NSManaged properties in sources of their own, in two modules that the plugin makes accessors for.
        .target(
            name: "ManagedTypes", dependencies: ["CoreData"], path: "Tests/ManagedTypes", swiftSettings: strict,
            plugins: ["CoreDataModelPlugin"]),
        .target(
            name: "ManagedModel", dependencies: ["CoreData", "ManagedTypes"], path: "Tests/ManagedModel",
            swiftSettings: strict, plugins: ["CoreDataModelPlugin"]),
        .testTarget(
            name: "ManagedAccessorTests",
            dependencies: ["CoreData", "ManagedModel", "ManagedTypes", "CoreDataTestSupport"],
            swiftSettings: strict, plugins: ["CoreDataModelPlugin"]),
        .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
        tests("CoreDataGraphTests", ["CoreDataGraph", "CoreDataTestSupport", "CAllocationCount"]),
        tests("CoreDataRecordStoresTests", ["CoreData", "CoreDataTestSupport"]),
        tests(
            "CoreDataSQLTests", ["CoreDataSQL", "SQLiteKit", "CoreDataTestSupport"], data: ["Queries/Golden"]),
        tests(
            "CoreDataSQLiteTests",
            ["CoreData", "SQLiteKit", "CoreDataTestSupport", "CFaultVFS", "StoreChild", "CAllocationCount"]),
        tests(
            "CoreDataMigrationTests",
            ["CoreData", "SQLiteKit", "CoreDataTestSupport", "CFaultVFS", "StoreChild", "VersionSketches"]),
        tests(
            "CoreDataMigrationChecksTests", ["CoreData", "CoreDataMigrationChecks", "SQLiteKit", "CoreDataTestSupport"]),
        tests("StoreContractTests", ["CoreData", "CoreDataTestSupport"]),
        tests("ConcurrencyTests", ["CoreData", "SQLiteKit", "CoreDataTestSupport", "StoreChild", "WriteScenarios"]),
        tests(
            "CompatibilityTests",
            ["CoreData", "CoreDataInspection", "CoreDataBrowser", "SQLiteKit", "CoreDataTestSupport"]),
        tests("CoreDataInspectionTests", ["CoreData", "CoreDataInspection", "SQLiteKit", "CoreDataTestSupport"]),
        tests(
            "CoreDataBrowserTests",
            [
                "CoreData", "CoreDataBrowser", "CoreDataModelEditing", "SQLiteKit", "CoreDataTestSupport",
                "SuperDBSample",
            ]),
        tests("PostgresKitTests", ["PostgresKit", "CoreDataTestSupport"]),
        tests(
            "CoreDataPostgresTests",
            [
                "CAllocationCount", "CoreData", "CoreDataPostgres", "PostgresKit", "CoreDataTestSupport", "ServerChild",
                "VersionSketches", "WriteScenarios",
            ]),
        tests(
            "CoreDataBrowserServerTests",
            [
                "CoreData", "CMicroHTTPD", "CoreDataBrowserServer", "CoreDataPostgres", "CoreDataTestSupport",
                "PostgresKit", "SQLiteKit", "SuperDBSample",
            ]),
        tests("CrashTests", ["CoreData", "SQLiteKit", "CoreDataTestSupport", "StoreChild", "WriteScenarios"]),
        tests("TortureTests", ["CoreData", "CoreDataTestSupport", "SQLiteKit", "Torture"]),
        tests("RandomWriteTests", ["CoreData", "SQLiteKit", "CoreDataTestSupport", "StoreChild", "WriteScenarios"]),
        .testTarget(
            name: "BenchmarkTests", dependencies: ["CoreDataBenchmarks", "coredata", "CoreDataTestSupport"],
            swiftSettings: strict),
        tests("CommandLineTests", ["CoreData", "coredata", "coredata-port", "SQLiteKit", "CoreDataTestSupport"]),
    ]
)

// OPENCOREDATA_TESTS=CoreDataSQLTests,StoreContractTests leaves only these tests and what they need, so that a change of one
// module builds no more than its own tests; Scripts/sanitize builds its tests so.
if let names = Context.environment["OPENCOREDATA_TESTS"] {
    var wanted: Set<String> = []
    var open = names.split(separator: ",").map(String.init)
    while let name = open.popLast() {
        guard wanted.insert(name).inserted else { continue }
        guard let target = package.targets.first(where: { $0.name == name }) else {
            fatalError("OPENCOREDATA_TESTS names '\(name)', which is no target of the package")
        }
        for dependency in target.dependencies {
            switch dependency {
            case .byNameItem(let name, _), .targetItem(let name, _): open.append(name)
            default: continue
            }
        }
        for plugin in target.plugins ?? [] { if case .plugin(let name, _) = plugin { open.append(name) } }
    }
    package.products = []
    package.targets.removeAll { !wanted.contains($0.name) }
}
