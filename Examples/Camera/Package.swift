// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Camera",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "camera", targets: ["Camera"])],
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .executableTarget(
            name: "Camera",
            dependencies: [
                .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "CoreDataCodes", package: "OpenCoreData"),
                .product(name: "CoreDataRecordings", package: "OpenCoreData"),
            ], path: "Sources",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")])
    ]
)
