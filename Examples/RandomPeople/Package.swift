// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "RandomPeople",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "randompeople", targets: ["RandomPeople"])],
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .executableTarget(
            name: "RandomPeople", dependencies: [.product(name: "CoreData", package: "OpenCoreData")], path: "Sources",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")])
    ]
)
