/// Small modules that stand in for those that a stub imports: the names of types, at home where the real ones are.
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

    /// The modules of this package in the order in which they build, with those of their types that properties can have.
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
