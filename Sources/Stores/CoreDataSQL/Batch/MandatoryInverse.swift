import CoreDataStore

/// A relationship with the rule Nullify whose other end the model requires: what a batch deletion must not empty.
///
/// A save finds such an object when it validates it; a batch validates none, so it looks for them before it deletes.
package struct MandatoryInverse {
    /// The relationship of the rows that are deleted.
    package let relationship: NSRelationshipDescription
    /// The other end, which is required.
    package let inverse: NSRelationshipDescription
    /// How many objects the other end must keep.
    package let minimum: Int

    /// Nil for a relationship with another rule, without inverse, or whose inverse may be empty.
    package init?(_ relationship: NSRelationshipDescription) {
        guard relationship.deleteRule == .nullifyDeleteRule, !relationship.isTransient,
            let inverse = relationship.inverseRelationship, !inverse.isOptional
        else { return nil }
        minimum = inverse.isToMany ? inverse.minCount : 1
        guard minimum > 0 else { return nil }
        self.relationship = relationship
        self.inverse = inverse
    }

    /// `NSPersistentStoreSaveConflictsError`, as for a save with unresolved conflicts, with the reason that Apple's framework gives;
    /// nothing has been deleted.
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
