// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "RandomDates",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "randomdates", targets: ["RandomDates"])],
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .executableTarget(
            name: "RandomDates", dependencies: [.product(name: "CoreData", package: "OpenCoreData")], path: "Sources",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")])
    ]
)
