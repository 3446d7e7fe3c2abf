// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "superdb", targets: ["SuperDB"]),
        .executable(name: "randompeople", targets: ["RandomPeople"]),
        .executable(name: "conflicter", targets: ["Conflicter"]),
        .executable(name: "randomdates", targets: ["RandomDates"]),
        .executable(name: "templateproject", targets: ["TemplateProject"]),
        .executable(name: "notecollector", targets: ["NoteCollector"]),
        .executable(name: "mystuff", targets: ["MyStuff"]),
    ],
    dependencies: [.package(name: "OpenCoreData", path: "..")],
    targets: [
        .executableTarget(
            name: "SuperDB",
            dependencies: [.product(name: "CoreData", package: "OpenCoreData")],
            resources: [.copy("Model/SuperDB.xcdatamodeld")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
        ),
        .executableTarget(
            name: "Conflicter",
            dependencies: [.product(name: "CoreData", package: "OpenCoreData")],
            resources: [.copy("Model/Conflicter.xcdatamodeld")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
        ),
        .executableTarget(
            name: "RandomDates",
            dependencies: [.product(name: "CoreData", package: "OpenCoreData")],
            resources: [.copy("Model/RandomDates.xcdatamodeld")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
        ),
        .executableTarget(
            name: "RandomPeople",
            dependencies: [.product(name: "CoreData", package: "OpenCoreData")],
            resources: [.copy("Model/RandomPeople.xcdatamodeld")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
        ),
        appleStyle("TemplateProject"),
        appleStyle("NoteCollector"),
        appleStyle("MyStuff"),
    ]
)

/// A program whose model the build plugin compiles, and whose classes it makes.
func appleStyle(_ name: String) -> Target {
    .executableTarget(
        name: name, dependencies: [.product(name: "CoreData", package: "OpenCoreData")],
        swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)],
        plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")])
}
