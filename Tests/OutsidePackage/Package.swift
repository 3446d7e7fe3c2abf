// swift-tools-version: 6.2
// A package of somebody else's that takes the library by its version from a repository: Scripts/check-outside copies it and
// builds it. A library in Swift 6 mode with the plugin, a program in Swift 5 mode, and a server around both.
import PackageDescription

let library: Target.Dependency = .product(name: "CoreData", package: "OpenCoreData")
let plugin: Target.PluginUsage = .plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")

let package = Package(
    name: "Bookshop",
    dependencies: [.package(url: "@URL@", from: "@VERSION@")],
    targets: [
        .target(
            name: "Catalogue", dependencies: [library],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)], plugins: [plugin]),
        .executableTarget(
            name: "legacy", dependencies: [library, "Catalogue"],
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)], plugins: [plugin]),
        .target(name: "WebService", swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "bookshop", dependencies: ["Catalogue", "WebService"],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    ]
)
