import CoreDataGraph
import Synchronization

/// Finds the class of a policy by the name that a mapping gives.
enum PolicyClasses {
    private static let registered = Mutex<[String: NSEntityMigrationPolicy.Type]>([:])

    static func register(_ policyClass: NSEntityMigrationPolicy.Type, named name: String) {
        registered.withLock { $0[name] = policyClass }
    }

    /// The class that a mapping names, `NSEntityMigrationPolicy` itself where it names none.
    ///
    /// - Throws: `NSMigrationError` for a class that is not in the program, or is not a policy.
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
    /// Lets mappings name the class by any name, such as that of a nested class. Not in Apple's framework.
    public final class func register(named name: String) { PolicyClasses.register(self, named: name) }
}
