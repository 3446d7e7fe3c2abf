// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Contacts",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "contacts", targets: ["Contacts"])],
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .executableTarget(
            name: "Contacts",
            dependencies: [
                .product(name: "CoreData", package: "OpenCoreData")
            ], path: "Sources",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")])
    ]
)
