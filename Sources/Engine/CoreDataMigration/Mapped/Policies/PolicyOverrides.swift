import CoreDataGraph

/// A method of policies that is not called if the class of the policy does not override it.
///
/// If this cannot be determined from the classes, every subclass of `NSEntityMigrationPolicy` is assumed to override
/// the method.
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
