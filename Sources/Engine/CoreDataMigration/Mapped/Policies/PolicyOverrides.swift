import CoreDataGraph

/// Methods of policies that need not be called where no class overrides them.
///
/// Where classes do not show it, every one but `NSEntityMigrationPolicy` counts as one that overrides.
struct PolicyOverrides: Sendable {
    static let createRelationships = PolicyOverrides(
        place: MethodPlace(inheriting: Inheriting.self, overriding: Relating.self, base: NSEntityMigrationPolicy.self))

    private let place: MethodPlace

    func isOverridden(by policyClass: NSEntityMigrationPolicy.Type) -> Bool {
        place.differs(in: policyClass, from: NSEntityMigrationPolicy.self)
            ?? (policyClass != NSEntityMigrationPolicy.self)
    }

    private final class Inheriting: NSEntityMigrationPolicy {}

    private final class Relating: NSEntityMigrationPolicy {
        override func createRelationships(
            forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
        ) throws {}
    }
}
