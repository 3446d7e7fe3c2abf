import CoreDataModeling

/// Objects that have the same values of properties that must be unique together.
///
/// Where a record of the store has the values already it is the database object; else the objects of the context are in
/// each other's way, and there is none.
open class NSConstraintConflict: NSObject, @unchecked Sendable {
    /// The names of the properties that must be unique together.
    public let constraint: [String]
    /// The values that are there twice, by the properties' names.
    public let constraintValues: [String: Any]
    /// The object of the record that has the values in the store; nil where only unsaved objects have them.
    public let databaseObject: NSManagedObject?
    /// The values of that record.
    public let databaseSnapshot: [AnyHashable: Any]?
    /// The objects of the context that cannot be saved with these values.
    public let conflictingObjects: [NSManagedObject]
    /// The values that those objects had when they were last read or saved; empty for an inserted one.
    public let conflictingSnapshots: [[AnyHashable: Any]]

    /// Makes a conflict.
    public init(
        constraint contraint: [String], databaseObject: NSManagedObject?, databaseSnapshot: [AnyHashable: Any]?,
        conflicting conflictingObjects: [NSManagedObject], conflictingSnapshots: [Any]
    ) {
        constraint = contraint
        let example = conflictingObjects.first ?? databaseObject
        constraintValues = Dictionary(
            contraint.map { ($0, example?.value(forKey: $0) ?? NSNull()) }, uniquingKeysWith: { first, _ in first })
        self.databaseObject = databaseObject
        self.databaseSnapshot = databaseSnapshot
        self.conflictingObjects = conflictingObjects
        self.conflictingSnapshots = conflictingSnapshots.map { $0 as? [AnyHashable: Any] ?? [:] }
        super.init()
    }
}
