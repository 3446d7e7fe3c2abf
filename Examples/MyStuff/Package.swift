// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "MyStuff",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "mystuff", targets: ["MyStuff"])],
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .executableTarget(
            name: "MyStuff", dependencies: [.product(name: "CoreData", package: "OpenCoreData")], path: "Sources",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")])
    ]
)
