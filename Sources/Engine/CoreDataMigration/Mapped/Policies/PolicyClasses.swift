import CoreDataGraph
import Synchronization

/// Finds the class of a policy by the name in a mapping.
enum PolicyClasses {
    private static let registered = Mutex<[String: NSEntityMigrationPolicy.Type]>([:])

    static func register(_ policyClass: NSEntityMigrationPolicy.Type, named name: String) {
        registered.withLock { $0[name] = policyClass }
    }

    /// The class that a mapping names; `NSEntityMigrationPolicy` itself if the mapping names none.
    ///
    /// - Throws: `NSMigrationError` if the program has no class of this name, or if the class is not a policy.
    static func policyClass(of mapping: NSEntityMapping) throws -> NSEntityMigrationPolicy.Type {
        guard let name = mapping.entityMigrationPolicyClassName, !name.isEmpty else {
            return NSEntityMigrationPolicy.self
        }
        if let known = registered.withLock({ $0[name] }) { return known }
        let found = ObjectClassResolver.type(named: name) { $0 is NSEntityMigrationPolicy.Type }
        if let policyClass = found as? NSEntityMigrationPolicy.Type { return policyClass }
        let place = MigrationFailure.Place(
            mapping: mapping.name, entity: mapping.destinationEntityName ?? mapping.sourceEntityName)
        throw MigrationFailure.unusable(
            place,
            found == nil
                ? "the policy class '\(name)' is not in the program"
                : "the policy class '\(name)' is no subclass of NSEntityMigrationPolicy",
            hint: "Name its module with ObjectClassResolver.register(module:), or the class with "
                + "NSEntityMigrationPolicy.register(named:).")
    }
}

extension NSEntityMigrationPolicy {
    /// Registers the class under a name that mappings may use, such as one for a nested class. Not in Apple's
    /// framework.
    public final class func register(named name: String) { PolicyClasses.register(self, named: name) }
}
