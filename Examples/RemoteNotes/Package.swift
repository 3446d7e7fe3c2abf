// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "RemoteNotes",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "remotenotes", targets: ["RemoteNotes"])],
    dependencies: [.package(name: "OpenCoreData", path: "../.."), .package(path: "../LoopbackService")],
    targets: [
        .executableTarget(
            name: "RemoteNotes",
            dependencies: [
                .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "LoopbackService", package: "LoopbackService"),
            ], path: "Sources",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
