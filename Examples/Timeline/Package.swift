// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Timeline",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "timeline", targets: ["Timeline"])],
    dependencies: [.package(name: "OpenCoreData", path: "../.."), .package(path: "../LoopbackService")],
    targets: [
        .executableTarget(
            name: "Timeline",
            dependencies: [
                .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "CoreDataExchange", package: "OpenCoreData"),
                .product(name: "CoreDataAccounts", package: "OpenCoreData"),
                .product(name: "CoreDataTransfer", package: "OpenCoreData"),
                .product(name: "LoopbackService", package: "LoopbackService"),
            ], path: "Sources",
            resources: [.copy("Mappings")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")])
    ]
)
