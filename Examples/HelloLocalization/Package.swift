// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "HelloLocalization",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "hellolocalization", targets: ["HelloLocalization"])],
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .executableTarget(
            name: "HelloLocalization",
            dependencies: [
                .product(name: "CoreDataLocalization", package: "OpenCoreData")
            ], path: "Sources",
            resources: [.copy("Texts")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
