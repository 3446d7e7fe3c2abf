// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Stalled",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "stalled", targets: ["Stalled"])],
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .executableTarget(
            name: "Stalled",
            dependencies: [
                .product(name: "CoreDataJobs", package: "OpenCoreData")
            ], path: "Sources",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
