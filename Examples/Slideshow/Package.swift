// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Slideshow",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "slideshow", targets: ["Slideshow"])],
    dependencies: [.package(name: "OpenCoreData", path: "../.."), .package(path: "../LoopbackService")],
    targets: [
        .executableTarget(
            name: "Slideshow",
            dependencies: [
                .product(name: "CoreDataTransfer", package: "OpenCoreData"),
                .product(name: "LoopbackService", package: "LoopbackService"),
            ], path: "Sources",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
