// swift-tools-version: 6.2
// A package of somebody else's that uses the plugin: Scripts/check-plugin copies it, builds it, edits its models.
import PackageDescription

/// What an optimised build may make of the library's clients at most.
let optimised: SwiftSetting = .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release))

let package = Package(
    name: "Shop",
    dependencies: [.package(name: "OpenCoreData", path: "@ROOT@")],
    targets: [
        .target(
            name: "Store", dependencies: [.product(name: "CoreData", package: "OpenCoreData")],
            swiftSettings: [.treatAllWarnings(as: .error), .defaultIsolation(MainActor.self), optimised],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")]),
        .executableTarget(
            name: "shop", dependencies: ["Store"], swiftSettings: [.treatAllWarnings(as: .error), optimised],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")]),
    ]
)
