import CoreDataStore

/// Objects that have the same values of properties that must be unique together.
///
/// If a record of the store already has the values, it is the database object; otherwise the objects of the context
/// conflict with each other, and the database object is nil.
///
/// ```swift
/// final class SkippingPolicy: NSMergePolicy, @unchecked Sendable {
///     override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
///         for conflict in list where conflict.databaseObject != nil {
///             print("already stored: \(conflict.constraint.joined(separator: ", "))")
///         }
///         try super.resolve(constraintConflicts: list)
///     }
/// }
/// context.mergePolicy = SkippingPolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
/// ```
open class NSConstraintConflict: NSObject, @unchecked Sendable {
    /// The names of the properties that must be unique together; key paths for elements of composite attributes
    /// (`color.red`).
    open private(set) var constraint: [String]
    /// The values that the conflicting objects share, by the properties' names.
    open private(set) var constraintValues: [String: Any]
    /// The object of the record that already has the values in the store; nil if only unsaved objects have them.
    open private(set) var databaseObject: NSManagedObject?
    /// The stored values of the database object's record.
    open private(set) var databaseSnapshot: [AnyHashable: Any]?
    /// The objects of the context that cannot be saved with these values.
    open private(set) var conflictingObjects: [NSManagedObject]
    /// The values that the conflicting objects had when they were last read or saved, in order; empty for an inserted
    /// one.
    open private(set) var conflictingSnapshots: [[AnyHashable: Any]]
    /// The row of the database object, if a save made the conflict.
    let databaseRow: RowSnapshot?

    /// One line without values, such as `Item.code must be unique: Item/p1 (store), Item/p2 (context)`. May be read on any
    /// thread.
    open override var description: String {
        let entity = (conflictingObjects.first ?? databaseObject)?.objectID.entity.name
        let names = constraint.joined(separator: "+")
        let stored = databaseObject.map { ["\($0.objectID.entityAndKey) (store)"] } ?? []
        let objects = stored + conflictingObjects.map { "\($0.objectID.entityAndKey) (context)" }
        return (entity.map { "\($0).\(names)" } ?? names) + " must be unique: " + objects.joined(separator: ", ")
    }

    /// Makes an empty conflict, for programs that create one in their tests.
    override public convenience init() {
        self.init(
            constraint: [], databaseObject: nil, databaseSnapshot: nil, conflicting: [], conflictingSnapshots: [])
    }

    /// Makes a conflict.
    public init(
        constraint contraint: [String], databaseObject: NSManagedObject?, databaseSnapshot: [AnyHashable: Any]?,
        conflicting conflictingObjects: [NSManagedObject], conflictingSnapshots: [Any]
    ) {
        constraint = contraint
        constraintValues = Self.values(of: contraint, in: conflictingObjects.first ?? databaseObject)
        self.databaseObject = databaseObject
        self.databaseSnapshot = databaseSnapshot
        self.conflictingObjects = conflictingObjects
        self.conflictingSnapshots = conflictingSnapshots.map { $0 as? [AnyHashable: Any] ?? [:] }
        databaseRow = nil
        super.init()
    }

    /// Makes a conflict that a save found, with the row that already has the values.
    init(of objects: [NSManagedObject], constraint: [String], databaseObject: NSManagedObject?, row: RowSnapshot?) {
        self.constraint = constraint
        constraintValues = Self.values(of: constraint, in: objects.first ?? databaseObject)
        self.databaseObject = databaseObject
        databaseSnapshot = databaseObject.flatMap { row?.values(for: $0) }
        conflictingObjects = objects
        conflictingSnapshots = objects.map(\.committedSnapshot)
        databaseRow = row
        super.init()
    }

    private static func values(of constraint: [String], in object: NSManagedObject?) -> [String: Any] {
        constraint.reduce(into: [:]) { $0[$1] = object?.value(forKeyPath: $1) ?? NSNull() }
    }
}
