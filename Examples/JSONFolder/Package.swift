// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "JSONFolder",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "jsonfolder", targets: ["JSONFolder"])],
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .executableTarget(
            name: "JSONFolder", dependencies: [.product(name: "CoreData", package: "OpenCoreData")], path: "Sources",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
