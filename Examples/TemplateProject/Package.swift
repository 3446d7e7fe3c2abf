// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "TemplateProject",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "templateproject", targets: ["TemplateProject"])],
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .executableTarget(
            name: "TemplateProject",
            dependencies: [
                .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "CoreDataBrowserServer", package: "OpenCoreData"),
            ],
            path: "Sources",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")])
    ]
)
