// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Orders",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "orders", targets: ["Orders"])],
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .executableTarget(
            name: "Orders",
            dependencies: [
                .product(name: "CoreData", package: "OpenCoreData")
            ], path: "Sources",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")])
    ]
)
