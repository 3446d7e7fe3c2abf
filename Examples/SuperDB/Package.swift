// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "SuperDB",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "superdb", targets: ["SuperDB"])],
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .executableTarget(
            name: "SuperDB",
            dependencies: [
                .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "CoreDataBrowserServer", package: "OpenCoreData"),
            ], path: "Sources",
            resources: [.copy("Model/SuperDB.xcdatamodeld")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
