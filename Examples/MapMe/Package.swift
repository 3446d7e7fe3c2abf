// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "MapMe",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "mapme", targets: ["MapMe"])],
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .executableTarget(
            name: "MapMe",
            dependencies: [
                .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "CoreDataPlaces", package: "OpenCoreData"),
            ], path: "Sources",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")])
    ]
)
