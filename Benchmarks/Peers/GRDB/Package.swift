// swift-tools-version: 6.1
import PackageDescription

// GRDB from its repository, or from a folder that has it, where BENCH_GRDB names one.
let folder = Context.environment["BENCH_GRDB"] ?? ""

let package = Package(
    name: "GRDBPeer",
    platforms: [.macOS(.v15)],
    dependencies: [
        folder.isEmpty
            ? .package(url: "https://github.com/groue/GRDB.swift", from: "7.8.0")
            : .package(name: "GRDB.swift", path: folder)
    ],
    targets: [
        .executableTarget(name: "GRDBPeer", dependencies: [.product(name: "GRDB", package: "GRDB.swift")])
    ])
