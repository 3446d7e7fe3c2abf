// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "NoteCollector",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "notecollector", targets: ["NoteCollector"])],
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .executableTarget(
            name: "NoteCollector", dependencies: [.product(name: "CoreData", package: "OpenCoreData")], path: "Sources",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")])
    ]
)
