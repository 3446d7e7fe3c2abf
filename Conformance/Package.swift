// swift-tools-version: 6.0
import PackageDescription

// On Apple's systems the behaviours are those of the framework there, elsewhere those of the package beside this one.
#if canImport(Darwin)
    let packages: [Package.Dependency] = []
    let coreData: [Target.Dependency] = []
#else
    let packages: [Package.Dependency] = [.package(name: "OpenCoreData", path: "..")]
    let coreData: [Target.Dependency] = [.product(name: "CoreData", package: "OpenCoreData")]
#endif

let package = Package(
    name: "Conformance",
    platforms: [.macOS(.v14)],
    dependencies: packages,
    targets: [
        .target(name: "Behaviours", dependencies: coreData),
        .executableTarget(name: "conformance", dependencies: ["Behaviours"]),
    ])
