// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "LoopbackService",
    platforms: [.macOS(.v15)],
    products: [.library(name: "LoopbackService", targets: ["LoopbackService"])],
    targets: [
        .target(
            name: "LoopbackService", path: "Sources",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
