// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "LocaleNumbers",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "localenumbers", targets: ["LocaleNumbers"])],
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .executableTarget(
            name: "LocaleNumbers",
            dependencies: [
                .product(name: "CoreDataLocalization", package: "OpenCoreData")
            ], path: "Sources",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
