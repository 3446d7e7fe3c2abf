// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "MediaLibrary",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "medialibrary", targets: ["MediaLibrary"])],
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .executableTarget(
            name: "MediaLibrary",
            dependencies: [
                .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "CoreDataMedia", package: "OpenCoreData"),
            ], path: "Sources",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")])
    ]
)
