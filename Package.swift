// swift-tools-version: 6.2
// The modules and what each may import: see Docs/Architecture.md. Scripts/check-layers compares the imports with the same
// table.
import CompilerPluginSupport
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
let macroModules = [
    "SwiftSyntax", "SwiftSyntaxMacros", "SwiftSyntaxBuilder", "SwiftDiagnostics", "SwiftCompilerPluginMessageHandling",
]

/// Warnings are errors where the checks of a change run, which set the variable: .ci/run and the workflows. Who builds the
/// package elsewhere, with a newer compiler perhaps, sees warnings as such.
let warningsAreErrors = Context.environment["OPENCOREDATA_WARNINGS_ARE_ERRORS"] != nil

let strict: [SwiftSetting] =
    [.swiftLanguageMode(.v6), .enableUpcomingFeature("MemberImportVisibility")]
    + (warningsAreErrors ? [.treatAllWarnings(as: .error), .treatWarning("DeprecatedDeclaration", as: .warning)] : [])

/// What most tests run through. OPENCOREDATA_OPTIMIZED, which Scripts/test sets, has it compiled with optimization in a debug build
/// too, which halves the time of the tests; assertions and exclusive access are checked all the same.
let optimized: Set<String> =
    Context.environment["OPENCOREDATA_OPTIMIZED"] == nil
    ? []
    : [
        "CoreDataFoundation", "CoreDataGraph", "CoreDataModeling", "CoreDataRecordStores", "CoreDataSQL",
        "CoreDataSQLite", "CoreDataStore", "CoreDataSync", "SQLiteKit", "SyncSimulator",
    ]

/// The settings of a module, with optimization where it is to have it.
func settings(_ name: String) -> [SwiftSetting] {
    strict
        + (optimized.contains(name)
            ? [.unsafeFlags(["-O", "-assert-config", "Debug", "-enforce-exclusivity=checked"])] : [])
}

/// A module of the library in `Sources/`, with the dependencies that Docs/Architecture.md allows it.
func libraryTarget(_ path: String, _ dependencies: [Target.Dependency]) -> Target {
    let name = moduleName(path)
    return .target(name: name, dependencies: dependencies, path: "Sources/" + path, swiftSettings: settings(name))
}

/// A folder is a module, in the folder of its level.
func moduleName(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

/// The tests of a module; `data` are the folders of files that tests read and write by their paths.
func tests(_ name: String, _ dependencies: [Target.Dependency], data: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: data, swiftSettings: strict)
}

/// A program of Examples/ as a module that tests can import, with classes that the build makes from its model.
func sample(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil) -> Target {
    .target(
        name: name + "Sample", dependencies: ["CoreData"] + dependencies, path: "Examples/\(name)/Sources",
        exclude: ["Terminal"], resources: resources, swiftSettings: strict, plugins: ["CoreDataModelPlugin"])
}

/// A program of Examples/ without a model of Xcode, as a module that tests can import.
func codeSample(
    _ name: String, _ dependencies: [Target.Dependency] = ["CoreData"], resources: [Resource]? = nil
) -> Target {
    .target(
        name: name + "Sample", dependencies: dependencies, path: "Examples/\(name)/Sources", exclude: ["Terminal"],
        resources: resources, swiftSettings: strict)
}

/// Where the library is built for those who depend on it: on Apple's platforms a module `CoreData` would stand before
/// Apple's framework of the same name.
let elsewhere: [Platform] = [.linux, .android, .windows, .wasi, .openbsd, .custom("freebsd")]

let package = Package(
    name: "OpenCoreData",
    products: [
        .library(name: "CoreData", targets: ["CoreDataLibrary"]),
        .library(name: "SwiftData", targets: ["SwiftData"]),
        .library(name: "CoreDataPostgres", targets: ["CoreDataPostgres"]),
        .library(name: "CoreDataSyncing", targets: ["CoreDataSyncing"]),
        .library(name: "CoreDataSyncHub", targets: ["CoreDataSyncHub"]),
        .library(name: "CoreDataSyncPeers", targets: ["CoreDataSyncPeers"]),
        .library(name: "CoreDataSyncSealing", targets: ["CoreDataSyncSealing"]),
        .library(name: "CoreDataTransfer", targets: ["CoreDataTransfer"]),
        .library(name: "CoreDataAccounts", targets: ["CoreDataAccounts"]),
        .library(name: "CoreDataJobs", targets: ["CoreDataJobs"]),
        .library(name: "CoreDataLocalization", targets: ["CoreDataLocalization"]),
        .library(name: "MultipeerConnectivity", targets: ["MultipeerConnectivity"]),
        .library(name: "CoreDataExchange", targets: ["CoreDataExchange"]),
        .library(name: "Documents", targets: ["Documents"]),
        .library(name: "NetServices", targets: ["NetServices"]),
        .library(name: "UniformTypeIdentifiers", targets: ["UniformTypeIdentifiers"]),
        .library(name: "CoreDataMail", targets: ["CoreDataMail"]),
        .library(name: "CoreDataPlaces", targets: ["CoreDataPlaces"]),
        .library(name: "CoreDataPictures", targets: ["CoreDataPictures"]),
        .library(name: "CoreDataPhotoLibrary", targets: ["CoreDataPhotoLibrary"]),
        .library(name: "CoreDataGazetteer", targets: ["CoreDataGazetteer"]),
        .library(name: "CoreDataCodes", targets: ["CoreDataCodes"]),
        .library(name: "CoreDataSpeech", targets: ["CoreDataSpeech"]),
        .library(name: "CoreDataRecordings", targets: ["CoreDataRecordings"]),
        .library(name: "CoreDataMedia", targets: ["CoreDataMedia"]),
        .library(name: "StoreContract", targets: ["StoreContract"]),
        .library(name: "PeerTestSupport", targets: ["PeerTestSupport"]),
        .library(name: "CoreDataTesting", targets: ["CoreDataTesting"]),
        .library(name: "TestServers", targets: ["TestServers"]),
        .library(name: "TestBrowsers", targets: ["TestBrowsers"]),
        .library(name: "CoreDataBrowser", targets: ["CoreDataBrowser"]),
        .library(name: "CoreDataBrowserServer", targets: ["CoreDataBrowserServer"]),
        .executable(name: "coredata", targets: ["coredata"]),
        .executable(name: "coredata-speech", targets: ["coredata-speech"]),
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
        // Opened at run time and not linked: see Docs/Decisions/0036-opening-avahi.md.
        .target(
            name: "CAvahi", path: "Sources/System/CAvahi",
            linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        // Opened at run time, as CAvahi, and built without its headers.
        .target(
            name: "CGMime", path: "Sources/System/CGMime",
            linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        // Opened at run time by coredata-speech alone: the library is under the GNU GPL.
        .target(
            name: "CESpeak", path: "Sources/System/CESpeak",
            linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .target(name: "CCurl", path: "Sources/System/CCurl", linkerSettings: [.linkedLibrary("curl")]),
        .target(name: "CEpoll", path: "Sources/System/CEpoll"),
        .target(name: "CGnuTLS", path: "Sources/System/CGnuTLS", linkerSettings: [.linkedLibrary("gnutls")]),
        .target(
            name: "COpenSSL", path: "Sources/System/COpenSSL",
            linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .target(name: "CMarkdown", path: "Sources/System/CMarkdown", linkerSettings: [.linkedLibrary("md4c")]),
        .target(name: "CSodium", path: "Sources/System/CSodium", linkerSettings: [.linkedLibrary("sodium")]),
        .target(name: "CSQLite", path: "Sources/System/CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .systemLibrary(
            name: "CLibXML2", path: "Sources/System/CLibXML2", pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"])]),
        .target(name: "CZlib", path: "Sources/System/CZlib", linkerSettings: [.linkedLibrary("z")]),
        .target(
            name: "CMicroHTTPD", path: "Sources/System/CMicroHTTPD", linkerSettings: [.linkedLibrary("microhttpd")]),
        .target(name: "CPostgres", path: "Sources/System/CPostgres", linkerSettings: [.linkedLibrary("pq")]),
        .target(name: "CSpawn", path: "Sources/System/CSpawn"),
        .target(name: "CSwiftRuntime", path: "Sources/System/CSwiftRuntime"),
        .target(name: "CFaultVFS", path: "Sources/Testing/CFaultVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
        libraryTarget("Models/CoreDataFoundation", ["CSwiftRuntime"]),
        libraryTarget("Kits/SQLiteKit", ["CSQLite"]),
        libraryTarget("Kits/PostgresKit", ["CPostgres"]),
        libraryTarget("Kits/XMLKit", ["CLibXML2"]),
        libraryTarget("Kits/MarkdownKit", ["CMarkdown"]),
        libraryTarget("Kits/HTTPServerKit", ["CMicroHTTPD"]),
        libraryTarget("Kits/LockKit", []),
        libraryTarget("Kits/ProgramKit", ["CSpawn", "LockKit"]),
        libraryTarget("Kits/MediaToolKit", ["ProgramKit"]),
        libraryTarget("Kits/PeerKit", ["CEpoll", "COpenSSL", "LockKit"]),
        libraryTarget("Kits/DiscoveryKit", ["CAvahi"]),
        libraryTarget("Models/CoreDataModeling", ["CoreDataFoundation", "CZlib", "CSwiftRuntime"]),
        .target(
            name: "CoreDataSourceScanning", dependencies: ["CoreDataModelCompiler"],
            path: "Sources/BuildTools/CoreDataSourceScanning",
            swiftSettings: strict + [.unsafeFlags(["-I", toolchainSyntax])],
            linkerSettings: [
                .unsafeFlags(
                    ["-L", toolchainSyntax] + syntaxModules.map { "-l\($0)" }
                        + ["-Xlinker", "-rpath", "-Xlinker", toolchainSyntax])
            ]),
        .testTarget(
            name: "CoreDataSourceScanningTests", dependencies: ["CoreDataSourceScanning", "TestBasics"],
            swiftSettings: strict + [.unsafeFlags(["-I", toolchainSyntax])]),
        .target(
            name: "CoreDataSourcePorting", dependencies: ["CoreDataModelCompiler"],
            path: "Sources/BuildTools/CoreDataSourcePorting",
            swiftSettings: strict + [.unsafeFlags(["-I", toolchainSyntax])],
            linkerSettings: [
                .unsafeFlags(
                    ["-L", toolchainSyntax, "-lSwiftSyntax", "-lSwiftParser"]
                        + ["-Xlinker", "-rpath", "-Xlinker", toolchainSyntax])
            ]),
        .testTarget(
            name: "CoreDataSourcePortingTests",
            dependencies: ["CoreDataModelCompiler", "CoreDataSourcePorting", "CoreData", "TestBasics"],
            exclude: ["Samples"], swiftSettings: strict + [.unsafeFlags(["-I", toolchainSyntax])]),
        libraryTarget("Engine/CoreDataStore", ["CoreDataModeling", "CSwiftRuntime"]),
        libraryTarget("Engine/CoreDataRecordStores", ["CoreDataStore", "CZlib"]),
        libraryTarget("Engine/CoreDataGraph", ["CoreDataRecordStores", "CSwiftRuntime"]),
        libraryTarget("Engine/CoreDataSync", []),
        libraryTarget("Models/CoreDataModelCompiler", ["CoreDataModeling"]),
        libraryTarget("Stores/CoreDataSQL", ["CoreDataStore"]),
        libraryTarget("Stores/CoreDataSQLite", ["CoreDataSQL", "SQLiteKit"]),
        libraryTarget("Stores/CoreDataPostgres", ["CoreDataSQL", "CoreDataRecordStores", "PostgresKit"]),
        libraryTarget("Engine/CoreDataMigration", ["CoreDataGraph"]),
        libraryTarget("Products/CoreData", ["CoreDataGraph", "CoreDataSQLite", "CoreDataMigration"]),
        libraryTarget("Products/CoreDataSyncing", ["CoreDataGraph", "CoreDataSync"]),
        libraryTarget("Products/CoreDataSyncSealing", ["CSodium", "CoreDataSyncing"]),
        libraryTarget("Products/CoreDataTransfer", ["CCurl", "LockKit"]),
        libraryTarget("Products/CoreDataSyncHub", ["COpenSSL", "CoreDataSyncing", "CoreDataTransfer"]),
        libraryTarget("Products/CoreDataSyncPeers", ["CoreDataSync", "CoreDataSyncing", "MultipeerConnectivity"]),
        libraryTarget("Products/UniformTypeIdentifiers", []),
        libraryTarget(
            "Products/CoreDataMail",
            [
                "CCurl", "CGMime", "CoreDataGraph", "CoreDataSQLite", "CoreDataTransfer", "LockKit",
                "UniformTypeIdentifiers",
            ]),
        libraryTarget("Products/CoreDataAccounts", ["COpenSSL", "CoreDataTransfer", "LockKit"]),
        libraryTarget("Products/MultipeerConnectivity", ["DiscoveryKit", "LockKit", "PeerKit"]),
        libraryTarget("Products/CoreDataJobs", ["LockKit"]),
        libraryTarget("Products/Documents", ["CoreDataFoundation", "LockKit"]),
        libraryTarget("Products/NetServices", ["DiscoveryKit", "LockKit"]),
        libraryTarget("Products/CoreDataPlaces", ["LockKit"]),
        libraryTarget(
            "Products/CoreDataPictures",
            ["COpenSSL", "CoreDataPlaces", "LockKit", "ProgramKit", "UniformTypeIdentifiers"]),
        libraryTarget(
            "Products/CoreDataPhotoLibrary",
            [
                "CoreData", "CoreDataPictures", "CoreDataPlaces", "LockKit", "MediaToolKit", "ProgramKit",
                "UniformTypeIdentifiers",
            ]),
        libraryTarget(
            "Products/CoreDataCodes", ["CZlib", "CoreDataPictures", "ProgramKit", "UniformTypeIdentifiers"]),
        libraryTarget("Products/CoreDataSpeech", ["LockKit", "ProgramKit"]),
        libraryTarget("Products/CoreDataRecordings", ["LockKit", "MediaToolKit", "ProgramKit"]),
        libraryTarget("Products/CoreDataGazetteer", ["CoreData", "CoreDataPlaces", "CoreDataTransfer"]),
        libraryTarget(
            "Products/CoreDataMedia",
            [
                "CoreData", "CoreDataModeling", "CoreDataPictures", "LockKit", "MediaToolKit", "ProgramKit",
                "UniformTypeIdentifiers",
            ]),
        libraryTarget("Products/CoreDataLocalization", []),
        libraryTarget("Products/CoreDataLibrary", [.target(name: "CoreData", condition: .when(platforms: elsewhere))]),
        .macro(
            name: "SwiftDataMacros", path: "Sources/BuildTools/SwiftDataMacros",
            swiftSettings: strict + [.unsafeFlags(["-I", toolchainSyntax])],
            linkerSettings: [
                .unsafeFlags(
                    ["-L", toolchainSyntax] + macroModules.map { "-l\($0)" }
                        + ["-Xlinker", "-rpath", "-Xlinker", toolchainSyntax])
            ]),
        libraryTarget(
            "Products/SwiftData", ["CoreDataGraph", "CoreDataMigration", "CoreDataSQLite", "SwiftDataMacros"]),
        libraryTarget("Workbench/CoreDataModelEditing", ["CoreDataModeling"]),
        libraryTarget("Workbench/CoreDataMigrationChecks", ["CoreDataGraph"]),
        libraryTarget(
            "Workbench/CoreDataWorkbench",
            ["CoreData", "CoreDataLocalization", "CoreDataMigrationChecks", "SQLiteKit"]),
        libraryTarget(
            "Workbench/CoreDataDocuments", ["CoreDataLocalization", "CoreDataTransfer", "CoreDataWorkbench", "XMLKit"]),
        libraryTarget(
            "Workbench/CoreDataExchange",
            ["CoreDataDocuments", "CoreDataModelCompiler", "CoreDataTransfer", "SQLiteKit"]),
        libraryTarget("Workbench/CoreDataRepair", ["CoreDataWorkbench", "SQLiteKit"]),
        libraryTarget(
            "Workbench/CoreDataKinds",
            [
                "CoreDataPictures", "CoreDataPlaces", "CoreDataWorkbench", "MarkdownKit",
                "UniformTypeIdentifiers", "CoreDataCodes",
            ]),
        libraryTarget(
            "Workbench/CoreDataViewing",
            ["CoreDataKinds", "CoreDataWorkbench", "ProgramKit", "SQLiteKit", "UniformTypeIdentifiers"]),
        libraryTarget("Workbench/CoreDataTracing", ["CoreDataViewing", "ProgramKit"]),
        libraryTarget("Workbench/CoreDataMigrationPlanning", ["CoreDataExchange"]),
        .target(
            name: "CoreDataBrowser",
            dependencies: [
                "CoreDataJobs", "CoreDataKinds", "CoreDataLocalization", "CoreDataMail",
                "CoreDataMigrationPlanning", "CoreDataModelCompiler", "CoreDataModelEditing",
                "CoreDataPictures", "CoreDataPlaces", "CoreDataRepair", "CoreDataSyncing", "CoreDataTracing",
                "UniformTypeIdentifiers", "CoreDataCodes", "CoreDataRecordings", "CoreDataSpeech",
            ],
            path: "Sources/Workbench/CoreDataBrowser", resources: [.copy("Assets")], swiftSettings: strict),
        libraryTarget("Workbench/CoreDataBrowserServer", ["CoreDataBrowser", "HTTPServerKit", "ProgramKit"]),
        libraryTarget("Workbench/CoreDataSyncHubServer", ["CGnuTLS", "CoreDataSyncHub", "HTTPServerKit"]),
        libraryTarget("Workbench/CoreDataPrinting", ["CoreDataBrowserServer", "CoreDataPostgres"]),
        .executableTarget(
            name: "coredata",
            dependencies: [
                "CoreDataAccounts", "CoreDataBrowserServer", "CoreDataJobs", "CoreDataLocalization",
                "CoreDataMedia", "CoreDataMigrationPlanning", "CoreDataModelCompiler", "CoreDataModelEditing",
                "CoreDataPostgres",
                "CoreDataPrinting", "CoreDataRepair", "CoreDataSyncHubServer", "CoreDataSyncPeers",
                "CoreDataSyncSealing",
                "CoreDataSyncing", "CoreDataTracing", "CoreDataTransfer", "ProgramKit",
            ],
            path: "Sources/Workbench/coredata", swiftSettings: strict),
        .executableTarget(
            name: "coredata-speech", dependencies: ["CESpeak"], path: "Sources/Workbench/coredata-speech",
            swiftSettings: strict),
        .executableTarget(
            name: "coredata-port", dependencies: ["CoreDataSourcePorting"], path: "Sources/BuildTools/coredata-port",
            swiftSettings: strict + [.unsafeFlags(["-I", toolchainSyntax])]),
        .executableTarget(
            name: "coredata-gazetteer", dependencies: ["CoreDataGazetteer"],
            path: "Sources/BuildTools/coredata-gazetteer", swiftSettings: strict),
        .executableTarget(
            name: "coredata-modelc", dependencies: ["CoreDataSourceScanning"],
            path: "Sources/BuildTools/coredata-modelc",
            swiftSettings: strict + [.unsafeFlags(["-I", toolchainSyntax])]),
        .plugin(name: "CoreDataModelPlugin", capability: .buildTool(), dependencies: ["coredata-modelc"]),
        libraryTarget("Testing/TestBasics", []),
        libraryTarget("Testing/TestServers", ["LockKit", "TestBasics"]),
        libraryTarget("Testing/PeerTestSupport", ["LockKit", "MultipeerConnectivity", "PeerKit"]),
        libraryTarget("Testing/TestBrowsers", ["TestBasics", "TestServers"]),
        libraryTarget("Testing/CoreDataTesting", ["CoreData", "CoreDataExchange", "CoreDataMigrationChecks"]),
        libraryTarget(
            "Testing/StoreContract", ["CoreDataGraph", "CoreDataMigrationChecks", "SQLiteKit", "TestBasics"]),
        .target(
            name: "WriteScenarios", dependencies: ["CoreData", "CSQLite", "StoreContract", "TestBasics"],
            path: "Tests/WriteScenarios", swiftSettings: strict),
        .target(
            name: "VersionSketches", dependencies: ["CoreData", "StoreContract", "TestBasics"],
            path: "Tests/VersionSketches", swiftSettings: strict),
        .executableTarget(
            name: "StoreChild", dependencies: ["CoreData", "CSQLite", "TestBasics", "WriteScenarios"],
            path: "Tests/StoreChild", swiftSettings: strict),
        .executableTarget(
            name: "ServerChild", dependencies: ["CoreData", "CoreDataPostgres", "WriteScenarios"],
            path: "Tests/ServerChild", swiftSettings: strict),
        // Faults, kills and damaged files in processes of their own: see Scripts/torture.
        .executableTarget(
            name: "Torture",
            dependencies: [
                "CoreData", "CFaultVFS", "CSQLite", "SQLiteKit", "StoreContract", "TestBasics", "WriteScenarios",
            ],
            path: "Tests/Torture", swiftSettings: strict),
        // The example whose store is shown in the browser's tests.
        .target(
            name: "SuperDBSample", dependencies: ["CoreData"], path: "Examples/SuperDB/Sources/Heroes",
            swiftSettings: strict),
        tests("CoreDataFoundationTests", ["CoreDataFoundation", "TestBasics"]),
        tests("SQLiteKitTests", ["SQLiteKit", "TestBasics"]),
        tests("XMLKitTests", ["XMLKit"]),
        tests(
            "DiscoveryKitTests", ["DiscoveryKit", "TestBasics", "TestServers"], data: ["Operations/mdns_query.py"]),
        tests(
            "CoreDataModelingTests",
            ["CoreDataModeling", "CZlib", "CSQLite", "CAllocationCount", "TestBasics"]),
        tests("CoreDataModelEditingTests", ["CoreDataModelCompiler", "CoreDataModelEditing", "TestBasics"]),
        tests("CoreDataModelCompilerTests", ["CoreData", "CoreDataModelCompiler", "TestBasics"], data: ["Golden"]),
        .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
        .target(
            name: "SyncSimulator", dependencies: ["CoreDataSync", "TestBasics"], path: "Tests/SyncSimulator",
            swiftSettings: settings("SyncSimulator")),
        tests("CoreDataSyncTests", ["CoreDataSync", "SyncSimulator", "TestBasics"], data: ["sync_reader.py"]),
        tests("CoreDataGraphTests", ["CoreDataGraph", "StoreContract", "TestBasics", "CAllocationCount"]),
        tests("CoreDataRecordStoresTests", ["CoreData", "StoreContract", "TestBasics"]),
        tests(
            "CoreDataSQLTests", ["CoreDataSQL", "SQLiteKit", "StoreContract", "TestBasics"], data: ["Queries/Golden"]),
        tests(
            "CoreDataSQLiteTests",
            ["CoreData", "SQLiteKit", "StoreContract", "TestBasics", "CFaultVFS", "StoreChild", "CAllocationCount"]),
        tests(
            "CoreDataMigrationTests",
            ["CoreData", "SQLiteKit", "StoreContract", "TestBasics", "CFaultVFS", "StoreChild", "VersionSketches"]),
        tests(
            "CoreDataMigrationChecksTests",
            ["CoreData", "CoreDataMigrationChecks", "SQLiteKit", "StoreContract", "TestBasics"]),
        .testTarget(
            name: "SwiftDataTests",
            dependencies: [
                "CoreData", "CoreDataModelCompiler", "CoreDataSourcePorting", "SwiftData", "SQLiteKit", "TestBasics",
            ], swiftSettings: strict + [.unsafeFlags(["-I", toolchainSyntax])]),
        tests(
            "SwiftDataBridgeTests",
            [
                "CoreData", "CoreDataBrowser", "CoreDataPostgres", "CoreDataSyncing", "SwiftData", "TestBasics",
                "TestServers",
            ]),
        tests("StoreContractTests", ["CoreData", "StoreContract", "TestBasics"]),
        // What LLDB is tried with: see Scripts/lldb.
        .executableTarget(
            name: "DebuggedChild", dependencies: ["CoreData"], path: "Tests/DebuggedChild", swiftSettings: strict),
        tests(
            "CoreDataTestingTests",
            [
                "DebuggedChild", "CoreData", "CoreDataAccounts", "CoreDataJobs", "CoreDataMail", "CoreDataPlaces",
                "CoreDataSyncing",
                "CoreDataTesting", "CoreDataTransfer", "TestBasics", "TestServers",
            ]),
        tests(
            "ConcurrencyTests",
            ["CoreData", "SQLiteKit", "StoreContract", "TestBasics", "StoreChild", "WriteScenarios"]),
        tests(
            "CompatibilityTests",
            ["CoreData", "CoreDataBrowser", "SQLiteKit", "TestBasics"]),
        tests("CoreDataWorkbenchTests", ["CoreData", "CoreDataWorkbench", "StoreContract", "TestBasics"]),
        tests(
            "CoreDataExchangeTests",
            [
                "CoreData", "CoreDataRepair", "CoreDataExchange", "SQLiteKit", "StoreContract", "TestBasics",
                "CoreDataPostgres", "TestServers", "CAllocationCount",
            ]),
        tests(
            "CoreDataRepairTests",
            ["CoreData", "CoreDataRepair", "CoreDataExchange", "SQLiteKit", "StoreContract", "TestBasics"]),
        tests("ProgramKitTests", ["ProgramKit"]),
        tests("MarkdownKitTests", ["MarkdownKit"]),
        tests("CoreDataCodesTests", ["CoreDataCodes", "ProgramKit", "TestBasics"]),
        tests("CoreDataSpeechTests", ["CoreDataSpeech", "TestBasics", "coredata-speech"]),
        tests("CoreDataRecordingsTests", ["CoreDataRecordings", "TestBasics"]),
        tests("CoreDataKindsTests", ["CoreData", "CoreDataKinds", "TestBasics"]),
        tests("CoreDataViewingTests", ["CoreData", "CoreDataViewing", "SQLiteKit", "StoreContract", "TestBasics"]),
        tests("CoreDataTracingTests", ["CoreData", "CoreDataTracing", "StoreContract", "TestBasics"]),
        tests(
            "CoreDataBrowserTests",
            [
                "CoreData", "CoreDataBrowser", "CoreDataJobs", "CoreDataModelEditing", "CoreDataSyncing",
                "ProgramKit", "SQLiteKit", "StoreContract", "SuperDBSample", "TestBasics", "TestServers",
                "CoreDataCodes", "coredata-speech", "CoreDataSpeech", "CoreDataMedia", "CoreDataPictures", "LockKit",
            ]),
        tests("PostgresKitTests", ["PostgresKit", "TestBasics", "TestServers"]),
        tests("CoreDataLocalizationTests", ["CoreDataLocalization", "TestBasics"]),
        tests(
            "CoreDataSyncingTests",
            [
                "CoreData", "CoreDataFoundation", "CoreDataPostgres", "CoreDataSync", "CoreDataSyncing", "SQLiteKit",
                "StoreContract", "TestBasics", "TestServers",
            ]),
        .executableTarget(
            name: "HubChild", dependencies: ["CoreDataSyncHubServer"], path: "Tests/HubChild", swiftSettings: strict),
        tests(
            "CoreDataSyncHubTests",
            [
                "CoreData", "CoreDataSync", "CoreDataSyncHub", "CoreDataSyncHubServer", "CoreDataSyncSealing",
                "CoreDataSyncing", "HTTPServerKit", "HubChild", "LockKit", "StoreContract", "TestBasics", "TestServers",
            ]),
        tests(
            "CoreDataSyncSealingTests", ["CoreDataSyncSealing", "CoreDataSyncing", "TestBasics"],
            data: ["sealed_reader.py"]),
        tests(
            "CoreDataSyncPeersTests",
            [
                "CoreData", "CoreDataSync", "CoreDataSyncPeers", "CoreDataSyncing", "MultipeerConnectivity",
                "StoreContract",
                "TestBasics", "TestServers",
            ]),
        tests("CoreDataTransferTests", ["CoreDataTransfer", "LockKit", "TestBasics", "TestServers"]),
        tests("PeerKitTests", ["PeerKit", "TestBasics"]),
        .executableTarget(
            name: "PeerChild", dependencies: ["MultipeerConnectivity"], path: "Tests/PeerChild", swiftSettings: strict),
        tests(
            "MultipeerConnectivityTests",
            [
                "DiscoveryChild", "LockKit", "MultipeerConnectivity", "PeerChild", "PeerKit", "PeerTestSupport",
                "TestBasics",
                "TestServers",
            ],
            data: ["Hostile", "Power/logind.py"]),
        .executableTarget(
            name: "DiscoveryChild", dependencies: ["MultipeerConnectivity", "NetServices"],
            path: "Tests/DiscoveryChild", swiftSettings: strict),
        tests(
            "CoreDataAccountsTests", ["CoreDataAccounts", "CoreDataTransfer", "LockKit", "TestBasics", "TestServers"]),
        .executableTarget(
            name: "DocumentChild", dependencies: ["Documents"], path: "Tests/DocumentChild", swiftSettings: strict),
        tests("DocumentsTests", ["DocumentChild", "Documents", "TestBasics"]),
        tests("NetServicesTests", ["NetServices", "TestBasics", "TestServers"]),
        tests("CoreDataPlacesTests", ["CoreDataPlaces", "TestBasics"]),
        tests(
            "CoreDataPicturesTests",
            ["CoreDataPictures", "CoreDataPlaces", "LockKit", "ProgramKit", "TestBasics", "UniformTypeIdentifiers"]),
        tests(
            "CoreDataPhotoLibraryTests",
            [
                "CoreData", "CoreDataPhotoLibrary", "CoreDataPictures", "CoreDataPlaces", "LockKit", "ProgramKit",
                "TestBasics",
            ]),
        tests(
            "CoreDataGazetteerTests",
            ["CoreData", "CoreDataGazetteer", "CoreDataPlaces", "SQLiteKit", "TestBasics", "TestServers"]),
        tests(
            "CoreDataMediaTests",
            ["CoreData", "CoreDataMedia", "CoreDataTesting", "LockKit", "ProgramKit", "TestBasics"]),
        .executableTarget(
            name: "MailChild", dependencies: ["CoreDataMail"], path: "Tests/MailChild", swiftSettings: strict),
        tests(
            "CoreDataMailTests",
            ["CoreData", "CoreDataMail", "MailChild", "TestBasics", "TestServers", "UniformTypeIdentifiers"],
            data: ["Servers/smtp_server.py", "Servers/mail_reader.py", "Pictures/pictures.py"]),
        tests("UniformTypeIdentifiersTests", ["TestBasics", "UniformTypeIdentifiers"]),
        .executableTarget(
            name: "JobChild", dependencies: ["CoreDataJobs"], path: "Tests/JobChild", swiftSettings: strict,
            // The functions of a program have names in its stacks only if they are exported.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"])]),
        tests("CoreDataJobsTests", ["CoreDataJobs", "JobChild", "LockKit", "TestBasics"]),
        tests(
            "CoreDataPostgresTests",
            [
                "CAllocationCount", "CoreData", "CoreDataPostgres", "PostgresKit", "ServerChild", "StoreContract",
                "TestBasics", "TestServers", "VersionSketches", "WriteScenarios",
            ]),
        tests(
            "CoreDataBrowserServerTests",
            [
                "CoreData", "CMicroHTTPD", "CoreDataBrowserServer", "CoreDataCodes", "CoreDataPostgres",
                "CoreDataRecordings",
                "CoreDataSyncPeers",
                "CoreDataSyncing", "HTTPServerKit",
                "PostgresKit", "ProgramKit", "SQLiteKit", "StoreContract", "SuperDBSample", "TestBasics",
                "TestBrowsers",
                "TestServers",
            ]),
        tests("CrashTests", ["CoreData", "SQLiteKit", "StoreContract", "TestBasics", "StoreChild", "WriteScenarios"]),
        tests("TortureTests", ["CoreData", "StoreContract", "TestBasics", "SQLiteKit", "Torture"]),
        tests(
            "RandomWriteTests",
            ["CoreData", "SQLiteKit", "StoreContract", "TestBasics", "StoreChild", "WriteScenarios"]),
        tests(
            "CommandLineTests",
            [
                "CoreData", "coredata", "coredata-port", "ProgramKit", "SQLiteKit", "StoreContract", "TestBasics",
                "TestServers",
            ]),
    ]
)

/// Examples, benchmarks and modules that the plugin compiles for tests. Who builds the library or the tool needs none of them, and
/// without them SwiftPM does not build the plugin's compiler first: they are targets where OPENCOREDATA_EXAMPLES is set, as in make.
let examples: [Target] = [
    // The examples as modules that tests can import; the programs that read the terminal are packages in Examples/.
    .target(
        name: "ConflicterSample", dependencies: ["CoreData"], path: "Examples/Conflicter/Sources",
        exclude: ["Terminal"], resources: [.copy("Model/Conflicter.xcdatamodeld")], swiftSettings: strict),
    sample("RandomPeople"),
    sample("RandomDates"),
    sample("TemplateProject"),
    sample("NoteCollector"),
    sample("MyStuff"),
    sample("Orders"),
    sample("Contacts"),
    sample("MapMe", ["CoreDataPlaces"]),
    sample("Camera", ["CoreDataCodes", "CoreDataRecordings"]),
    sample("MediaLibrary", ["CoreDataMedia"]),
    codeSample("MailPic", ["CoreDataMail"]),
    codeSample("LocaleNumbers", ["CoreDataLocalization"]),
    codeSample("HelloLocalization", ["CoreDataLocalization"], resources: [.copy("Texts")]),
    .target(
        name: "Behaviours", dependencies: ["CoreData"], path: "Conformance/Sources/Behaviours",
        swiftSettings: strict),
    codeSample("JSONFolder"),
    // The small HTTP server that examples with a service share.
    .target(name: "LoopbackService", path: "Examples/LoopbackService/Sources", swiftSettings: strict),
    codeSample("RemoteNotes", ["CoreData", "LoopbackService"]),
    codeSample("Stalled", ["CoreDataJobs"]),
    codeSample("WebWork", ["CoreDataTransfer", "LoopbackService"]),
    codeSample("RequestTypes", ["CoreDataTransfer", "LoopbackService"]),
    codeSample("Slideshow", ["CoreDataTransfer", "LoopbackService"]),
    sample("TicTacToe", ["LoopbackService", "MultipeerConnectivity"]),
    sample("SimpleWeather", ["CoreDataExchange", "LoopbackService"], resources: [.copy("Mappings")]),
    sample(
        "Timeline", ["CoreDataAccounts", "CoreDataExchange", "CoreDataTransfer", "LoopbackService"],
        resources: [.copy("Mappings")]),
    tests(
        "ExampleTests",
        [
            "Behaviours", "ConflicterSample", "ContactsSample", "CoreData", "CoreDataAccounts",
            "CoreDataBrowser", "CoreDataBrowserServer", "CoreDataExchange", "CoreDataJobs", "CoreDataLocalization",
            "CoreDataPostgres", "CoreDataSQLite", "CoreDataTransfer", "HelloLocalizationSample", "JSONFolderSample",
            "LocaleNumbersSample", "LoopbackService", "MyStuffSample", "NoteCollectorSample", "OrdersSample",
            "RandomDatesSample", "RandomPeopleSample", "RemoteNotesSample", "RequestTypesSample",
            "SimpleWeatherSample", "SlideshowSample", "SQLiteKit", "StalledSample", "StoreContract",
            "MultipeerConnectivity", "PeerTestSupport", "SwiftData", "TemplateProjectSample", "TestBasics",
            "TestBrowsers",
            "TestServers",
            "TicTacToeSample",
            "CameraSample", "CoreDataCodes", "CoreDataGazetteer", "CoreDataMail", "CoreDataPlaces",
            "CoreDataRecordings", "CoreDataSpeech", "MailPicSample", "MapMeSample", "TimelineSample",
            "CoreDataMedia", "MediaLibrarySample", "SuperDBSample",
            "WebWorkSample",
        ], data: ["StandIns"]),
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
        dependencies: ["CoreData", "ManagedModel", "ManagedTypes", "StoreContract", "TestBasics"],
        swiftSettings: strict, plugins: ["CoreDataModelPlugin"]),
    // The table of speed beside plain C: see Scripts/bench.
    .target(
        name: "CRawBaseline", path: "Benchmarks/Sources/CRawBaseline", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
        name: "CRawPostgres", path: "Benchmarks/Sources/CRawPostgres",
        cSettings: [.unsafeFlags(["-I/usr/include/postgresql"])],
        linkerSettings: [.linkedLibrary("pq"), .linkedLibrary("sqlite3")]),
    // Sessions of peers beside OpenSSL in C.
    .target(
        name: "CRawTLS", path: "Benchmarks/Sources/CRawTLS",
        linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
    .executableTarget(
        name: "PeerBenchmarks", dependencies: ["CRawTLS", "LockKit", "MultipeerConnectivity", "PeerKit"],
        path: "Benchmarks/Sources/PeerBenchmarks", swiftSettings: strict),
    .executableTarget(
        name: "CoreDataBenchmarks",
        dependencies: [
            "CoreData", "CoreDataBrowser", "CoreDataPostgres", "CoreDataSync", "CoreDataSyncing", "CoreDataViewing",
            "CRawBaseline", "CRawPostgres", "SwiftData", "TestServers",
        ],
        path: "Benchmarks/Sources/CoreDataBenchmarks", swiftSettings: strict),
    .testTarget(
        name: "BenchmarkTests",
        dependencies: ["CoreDataBenchmarks", "coredata", "TestBasics", "TestBrowsers", "TestServers"],
        swiftSettings: strict),
]

if Context.environment["OPENCOREDATA_EXAMPLES"] != nil { package.targets += examples }

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
