// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "WebWork",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "webwork", targets: ["WebWork"])],
    dependencies: [.package(name: "OpenCoreData", path: "../.."), .package(path: "../LoopbackService")],
    targets: [
        .executableTarget(
            name: "WebWork",
            dependencies: [
                .product(name: "CoreDataTransfer", package: "OpenCoreData"),
                .product(name: "LoopbackService", package: "LoopbackService"),
            ], path: "Sources",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
