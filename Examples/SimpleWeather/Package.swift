// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "SimpleWeather",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "simpleweather", targets: ["SimpleWeather"])],
    dependencies: [.package(name: "OpenCoreData", path: "../.."), .package(path: "../LoopbackService")],
    targets: [
        .executableTarget(
            name: "SimpleWeather",
            dependencies: [
                .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "CoreDataExchange", package: "OpenCoreData"),
                .product(name: "LoopbackService", package: "LoopbackService"),
            ], path: "Sources",
            resources: [.copy("Mappings")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")])
    ]
)
