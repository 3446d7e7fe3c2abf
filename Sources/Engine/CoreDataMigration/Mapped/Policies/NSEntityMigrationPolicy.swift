import CoreDataGraph

/// Executes one mapping of a migration; a program overrides methods to change what the mapping does.
///
/// One policy serves one mapping during an entire migration. First pass: `begin`, `createDestinationInstances` for each
/// source object, `endInstanceCreation`. After this pass of all mappings: `createRelationships` for each new object,
/// `endRelationshipCreation`. After that pass of all mappings: `performCustomValidation`, then `end`. If a method
/// throws, the migration fails with `NSEntityMigrationPolicyError`; the source store is unchanged, and no destination
/// store remains.
///
/// A mapping names the class; the library looks it up like the classes of managed objects, see
/// `ObjectClassResolver.register(module:)`. All objects are instances of `NSManagedObject` itself, whatever classes the
/// models name. Used only on the thread of the migration.
///
/// ```swift
/// final class CustomerPolicy: NSEntityMigrationPolicy {
///     override func createDestinationInstances(
///         forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
///     ) throws {
///         guard source.value(forKey: "isTest") as? Bool != true else { return }
///         try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
///     }
/// }
/// CustomerPolicy.register(named: "CustomerPolicy")
/// ```
open class NSEntityMigrationPolicy: NSObject {
    /// A function that expressions call as `FUNCTION($entityPolicy, "name:", …)`.
    public typealias Function = (_ policy: NSEntityMigrationPolicy, _ arguments: [Any?]) throws -> Any?

    /// The functions of the policy for expressions, by their names with colons.
    ///
    /// Apple's framework sends a message with that name. Swift on Linux cannot find methods by name, so a policy lists
    /// them:
    ///
    ///     override class var functions: [String: Function] {
    ///         ["initialsOf:": { _, arguments in (arguments[0] as? String).map { String($0.prefix(1)) } }]
    ///     }
    ///
    /// If an expression uses a name that the class does not list, the migration fails before it begins. Not in Apple's
    /// framework.
    open class var functions: [String: Function] { [:] }

    /// Makes a policy; a migration makes one for each mapping.
    public required override init() {}

    /// Called once before the first object of the mapping is created.
    open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

    /// Creates the destination objects of one source object. This implementation creates one object of the destination
    /// entity, sets its attributes to the values of the mapping's expressions, and associates it with the source
    /// object.
    ///
    /// - Throws: `NSMigrationError` if an expression fails, or if its value does not have the attribute's type.
    open func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        guard let entity = manager.destinationEntity(for: mapping), !entity.isAbstract else { return }
        let destination = NSManagedObject(entity: entity, insertInto: manager.destinationContext)
        try manager.filling(mapping, self).setAttributes(of: destination, from: sInstance)
        manager.associate(sourceInstance: sInstance, withDestinationInstance: destination, for: mapping)
    }

    /// Called once after `createDestinationInstances` was called for the last source object of the mapping.
    open func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Sets the relationships of one object that the mapping created. This implementation uses the values of the
    /// mapping's relationship expressions.
    ///
    /// - Throws: `NSMigrationError` if an expression fails, or if its value is not valid for the relationship.
    open func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try manager.filling(mapping, self).setRelationships(of: dInstance)
    }

    /// Called once after `createRelationships` was called for the last object of the mapping.
    open func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Called once when all objects of all mappings have their values and relationships; afterwards they are validated
    /// against the model.
    open func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Called once after the custom validation of all mappings.
    open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}
}

extension NSEntityMigrationPolicy: CallAnswering {
    package func answer(toCall name: String, arguments: [Any?]) throws -> Any? {
        let functions = type(of: self).functions
        guard let function = functions[name] else {
            throw ExpressionError.unknownFunction(name, suggestion: closestName(to: name, in: Array(functions.keys)))
        }
        return try function(self, arguments)
    }
}
