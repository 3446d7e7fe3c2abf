// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "MailPic",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "mailpic", targets: ["MailPic"])],
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .executableTarget(
            name: "MailPic",
            dependencies: [
                .product(name: "CoreDataMail", package: "OpenCoreData"),
                .product(name: "UniformTypeIdentifiers", package: "OpenCoreData"),
            ], path: "Sources", swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
