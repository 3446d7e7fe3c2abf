/// Small modules with the names of the types that stubs use, each declared in the same module as the real type.
enum StubModules {
    /// The module with the protocol that all types of stubs conform to.
    static let base = "CoreDataSkeleton"

    /// Modules of the system that the compiler finds without stubs.
    static let system: Set = ["Foundation", "Dispatch", "Swift", "Glibc", "Musl", "FoundationNetworking"]

    static let baseText = """
        public protocol \(ModuleStub.conformance): Hashable {}
        extension \(ModuleStub.conformance) {
            public static func == (one: Self, other: Self) -> Bool { true }
            public func hash(into hasher: inout Hasher) {}
        }

        """

    /// The modules of this package in build order, with the types in them that managed properties can have.
    static let own: [(name: String, text: String)] = [
        ("CoreDataFoundation", "@_exported import Foundation\n"),
        (
            "CoreDataModeling",
            "@_exported import CoreDataFoundation\n"
                + classes(["NSEntityDescription", "NSPropertyDescription", "NSManagedObjectModel"])
        ),
        (
            "CoreDataGraph",
            "@_exported import CoreDataFoundation\n"
                + classes(["NSManagedObject", "NSManagedObjectID", "NSManagedObjectContext", "NSPersistentStore"])
        ),
        ("CoreData", "@_exported import CoreDataGraph\n"),
    ]

    private static func classes(_ names: [String]) -> String {
        "import \(base)\n" + names.map { "open class \($0): \(ModuleStub.conformance) {}\n" }.joined()
    }
}
