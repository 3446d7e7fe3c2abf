/// The files of a new project, with placeholders such as `«name»` and `«product»` that `ProjectTemplate` replaces.
///
/// `Examples/TemplateProject` contains the result for that name.
enum ProjectTexts {
    static let manifest = #"""
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "«name»",
            platforms: [.macOS(.v15)],
            products: [.executable(name: "«product»", targets: ["«name»"])],
            dependencies: [«package»],
            targets: [
                .executableTarget(
                    name: "«name»",
                    dependencies: [
        «products»
                    ],
                    path: "Sources",
                    swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)],
                    plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")])«tests»
            ]
        )

        """#

    static let persistence = #"""
        import CoreData

        /// The stack of the template: one container, named after the project, which finds its model by that name.
        public struct PersistenceController: Sendable {
            public let container: NSPersistentContainer

            /// Opens the store, at a place or where containers keep theirs; in memory nothing stays behind.
            ///
            /// - Throws: what loading the store throws.
            public init(inMemory: Bool = false, at url: URL? = nil) throws {
                container = NSPersistentContainer(name: "«name»")
                if inMemory {
                    container.persistentStoreDescriptions.first?.url = URL(fileURLWithPath: "/dev/null")
                } else if let url {
                    container.persistentStoreDescriptions.first?.url = url
                }
                var failure: (any Error)?
                container.loadPersistentStores { _, error in failure = error }
                if let failure { throw failure }
                container.viewContext.automaticallyMergesChangesFromParent = true
            }
        }

        """#

    static let model = #"""
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22522" systemVersion="23C71" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
            <entity name="Event" representedClassName="Event" syncable="YES" codeGenerationType="class">
                <attribute name="timeStamp" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
            </entity>
        </model>

        """#

    static let ignored = ".build/\n"
}
