// swift-tools-version: 6.2
// A package of somebody else's that uses the plugin: Scripts/check-plugin copies it, builds it, edits its models.
import PackageDescription

let package = Package(
    name: "Shop",
    dependencies: [.package(name: "OpenCoreData", path: "@ROOT@")],
    targets: [
        .target(
            name: "Store", dependencies: [.product(name: "CoreData", package: "OpenCoreData")],
            swiftSettings: [.treatAllWarnings(as: .error), .defaultIsolation(MainActor.self)],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")]),
        .executableTarget(
            name: "shop", dependencies: ["Store"], swiftSettings: [.treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")]),
    ]
)
