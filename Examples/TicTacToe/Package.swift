// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "TicTacToe",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "tictactoe", targets: ["TicTacToe"])],
    dependencies: [.package(name: "OpenCoreData", path: "../.."), .package(path: "../LoopbackService")],
    targets: [
        .executableTarget(
            name: "TicTacToe",
            dependencies: [
                .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "MultipeerConnectivity", package: "OpenCoreData"),
                .product(name: "LoopbackService", package: "LoopbackService"),
            ], path: "Sources",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")])
    ]
)
