// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Conflicter",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "conflicter", targets: ["Conflicter"])],
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .executableTarget(
            name: "Conflicter", dependencies: [.product(name: "CoreData", package: "OpenCoreData")], path: "Sources",
            resources: [.copy("Model/Conflicter.xcdatamodeld")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
