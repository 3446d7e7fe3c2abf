/// What the deletion of an object does with the objects at the other end of a relationship.
package enum SyncDeleteRule: Sendable {
    case nullify
    case cascade
    case deny
}

/// A relationship and its inverse as one.
///
/// Links are kept at the source: the to-one end of a one-to-many relationship, otherwise the end whose name is first.
package struct SyncRelationship: Hashable, Sendable {
    package struct End: Hashable, Sendable {
        /// The entity that declares the relationship.
        package let entity: SchemaID
        package let name: String
        package let isToMany: Bool
        package let isOrdered: Bool
        package let isMandatory: Bool
        /// The greatest count of a to-many relationship; 0 for any.
        package let maximumCount: Int
        /// The rule for the objects at the other end when an object at this one is deleted.
        package let deleteRule: SyncDeleteRule

        package init(
            _ entity: SchemaID, _ name: String, isToMany: Bool = false, isOrdered: Bool = false,
            isMandatory: Bool = false, maximumCount: Int = 0, deleteRule: SyncDeleteRule = .nullify
        ) {
            self.entity = entity
            self.name = name
            self.isToMany = isToMany
            self.isOrdered = isOrdered
            self.isMandatory = isMandatory
            self.maximumCount = maximumCount
            self.deleteRule = deleteRule
        }
    }

    package let id: SchemaID
    package let source: End
    /// The inverse; nil if there is none, equal to the source if the relationship is its own inverse.
    package let target: End?

    package init(id: SchemaID, source: End, target: End?) {
        self.id = id
        self.source = source
        self.target = target
    }

    /// Whether the relationship is its own inverse: each of two linked objects is the source of a link to the other.
    package var isOwnInverse: Bool { target == source }

    /// Whether a source that loses its target is not shown: the target's deletion cascades, or the source cannot be without.
    var sourceNeedsTarget: Bool { source.isMandatory && !source.isToMany || target?.deleteRule == .cascade }

    /// Whether a target that loses its source is not shown.
    var targetNeedsSource: Bool {
        guard let target else { return source.deleteRule == .cascade }
        return target.isMandatory && !target.isToMany || source.deleteRule == .cascade
    }
}
