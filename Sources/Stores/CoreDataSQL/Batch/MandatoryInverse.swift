import CoreDataStore

/// A relationship with the delete rule Nullify whose inverse is required: a batch deletion must not leave the inverse
/// empty.
///
/// When objects are saved, validation detects an inverse that has become empty. A batch deletion validates no objects,
/// so it searches for violations before it deletes.
package struct MandatoryInverse {
    /// The relationship of the rows that are deleted.
    package let relationship: NSRelationshipDescription
    /// The other end, which is required.
    package let inverse: NSRelationshipDescription
    /// The minimum number of objects that the inverse must contain.
    package let minimum: Int

    /// Returns nil for a relationship that is transient, has another delete rule or no inverse, or whose inverse may be
    /// empty.
    package init?(_ relationship: NSRelationshipDescription) {
        guard relationship.deleteRule == .nullifyDeleteRule, !relationship.isTransient,
            let inverse = relationship.inverseRelationship, !inverse.isOptional
        else { return nil }
        minimum = inverse.isToMany ? inverse.minCount : 1
        guard minimum > 0 else { return nil }
        self.relationship = relationship
        self.inverse = inverse
    }

    /// Makes the error of a refused batch deletion: `NSPersistentStoreSaveConflictsError`, as for a save with
    /// unresolved conflicts, with the failure reason of Apple's framework. Nothing has been deleted.
    ///
    /// - Parameters:
    ///   - key: the key of an object that would be left with too few.
    ///   - entity: the entity of the rows that are deleted.
    package func violation(key: Int64, deleting entity: NSEntityDescription) -> NSError {
        let kind = (inverse.isToMany ? "M" : "O") + "T" + (relationship.isToMany ? "M" : "O")
        let (deleted, owner) = (entity.name ?? "", inverse.entity.name ?? "")
        return CoreDataError.make(
            NSPersistentStoreSaveConflictsError,
            "The batch would leave '\(owner)' with the key \(key) without what its relationship '\(inverse.name)' requires.",
            reason: "Constraint trigger violation: Batch delete failed due to mandatory \(kind) nullify inverse on "
                + "\(deleted)/\(relationship.name)",
            hint:
                "Delete those objects in a batch before, give the relationship '\(relationship.name)' the rule Cascade, "
                + "or make '\(inverse.name)' optional.",
            userInfo: [NSValidationKeyErrorKey: inverse.name, NSPersistentStoreSaveConflictsErrorKey: [NSObject]()])
    }
}
