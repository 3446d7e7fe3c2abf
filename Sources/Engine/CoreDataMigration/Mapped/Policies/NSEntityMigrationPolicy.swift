import CoreDataGraph

/// Executes one mapping of a migration; a program overrides the methods whose behavior its mapping changes.
///
/// One policy serves one mapping during an entire migration: `begin`, then for each source object
/// `createDestinationInstances`, `endInstanceCreation`; after this pass of all mappings, for each new object
/// `createRelationships`, and `endRelationshipCreation`; after that of all, `performCustomValidation` and `end`. An error
/// that a method throws ends the migration with error `NSEntityMigrationPolicyError`, and the stores are unchanged.
///
/// A mapping names the class; it is found as classes of objects are, see `ObjectClassResolver.register(module:)`. All
/// objects are plain `NSManagedObject`s, whatever classes the models name. Used by the thread that migrates.
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
    /// What expressions call as `FUNCTION($entityPolicy, "name:", …)`.
    public typealias Function = (_ policy: NSEntityMigrationPolicy, _ arguments: [Any?]) throws -> Any?

    /// The functions that expressions may call on the policy, by the names that they use, with their colons.
    ///
    /// Apple's sends a message of that name; Swift on Linux finds no methods by name, so a policy lists them:
    ///
    ///     override class var functions: [String: Function] {
    ///         ["initialsOf:": { _, arguments in (arguments[0] as? String).map { String($0.prefix(1)) } }]
    ///     }
    ///
    /// A name that an expression uses and the class does not list is refused before the migration begins. Not in Apple's
    /// framework.
    open class var functions: [String: Function] { [:] }

    /// Makes a policy; a migration does so for each mapping.
    public required override init() {}

    /// Called once before the mapping makes anything.
    open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

    /// Makes what becomes of one source object: here one object of the destination entity, with the values of the
    /// mapping's attribute expressions, associated with the source object.
    ///
    /// - Throws: `NSMigrationError` for an expression that fails and a value that the attribute cannot have.
    open func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        guard let entity = manager.destinationEntity(for: mapping), !entity.isAbstract else { return }
        let destination = NSManagedObject(entity: entity, insertInto: manager.destinationContext)
        try manager.filling(mapping, self).setAttributes(of: destination, from: sInstance)
        manager.associate(sourceInstance: sInstance, withDestinationInstance: destination, for: mapping)
    }

    /// Called once after the last source object of the mapping.
    open func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Sets the relationships of one object that the mapping made: here to the values of the mapping's expressions.
    ///
    /// - Throws: `NSMigrationError` for an expression that fails and a value that the relationship cannot have.
    open func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try manager.filling(mapping, self).setRelationships(of: dInstance)
    }

    /// Called once after the last object of the mapping has its relationships.
    open func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Called once when all objects of all mappings are complete; the rules of the model are checked afterwards.
    open func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Called once at the end of the mapping.
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
