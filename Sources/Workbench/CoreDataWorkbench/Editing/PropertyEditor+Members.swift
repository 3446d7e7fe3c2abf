import CoreData

/// Finds the objects of relationships by their names, and adds, removes and moves members.
extension PropertyEditor {
    /// The objects of a to-many relationship's value.
    package static func members(_ value: Any?) -> [NSManagedObject] {
        switch value {
        case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
        case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
        default: []
        }
    }

    /// - Throws: `InspectionError` if objects of an entity cannot be in a relationship.
    package static func requireTarget(
        _ entity: NSEntityDescription, of relationship: NSRelationshipDescription
    ) throws {
        guard let wanted = relationship.destinationEntity, entity.isKindOf(entity: wanted) else {
            let name = relationship.destinationEntity?.name ?? ""
            throw InspectionError(
                .badValue, subject: relationship.name,
                cause: "an object of entity '\(entity.name ?? "")' is not of entity '\(name)', "
                    + "to which the relationship leads",
                hint: "give the address of one of entity '\(name)'")
        }
    }

    /// The objects that a value names.
    func objects(_ value: EditValue, _ relationship: NSRelationshipDescription) throws -> [NSManagedObject] {
        try value.names(for: relationship).map { name in
            let object = try targets.object(name, for: relationship)
            try Self.requireTarget(object.entity, of: relationship)
            return object
        }
    }

    /// Adds, removes or moves members.
    ///
    /// - Throws: `InspectionError`, and errors of `targets`.
    func apply(
        _ edit: Edit, to members: inout [NSManagedObject], _ relationship: NSRelationshipDescription
    ) throws {
        switch edit {
        case .set(let value): members = try objects(value, relationship)
        case .add(let value, let place):
            let known = Set(members)
            let new = try objects(value, relationship).filter { !known.contains($0) }
            members.insert(contentsOf: new, at: max(0, min(place ?? members.count, members.count)))
        case .remove(let value):
            let gone = Set(try objects(value, relationship))
            members.removeAll(where: gone.contains)
        case .move(let from, let to):
            guard relationship.isOrdered else {
                throw InspectionError(
                    .badValue, subject: relationship.name, cause: "the relationship has no order")
            }
            guard members.indices.contains(from), members.indices.contains(to) else {
                throw InspectionError(
                    .badValue, subject: relationship.name, cause: "no member can be moved from \(from) to \(to)",
                    hint: "the relationship has \(members.count) members, counted from 0")
            }
            members.insert(members.remove(at: from), at: to)
        }
    }
}
