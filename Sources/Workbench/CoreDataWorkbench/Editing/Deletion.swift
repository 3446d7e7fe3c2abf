import CoreData

/// Deletes objects by the model's delete rules: all of them or none.
package struct Deletion {
    /// The numbers of deleted objects of one entity.
    package struct Count {
        package let entity: String
        /// The number of chosen objects.
        package let chosen: Int
        /// The number of objects that were deleted because a delete rule is Cascade.
        package let cascaded: Int
    }

    private let selection: ObjectSelection

    /// A deletion of the objects of a selection.
    package init(_ selection: ObjectSelection) { self.selection = selection }

    /// Deletes the objects and those to which the delete rules cascade; returns the counts by entity.
    ///
    /// - Throws: `InspectionError`, also if the rule Deny forbids the deletion; the store is then unchanged.
    package func apply(in store: OpenStore, mode: EditMode = .save) throws -> [Count] {
        try store.edit(
            mode, naming: { $0.objectID.shortText },
            {
                let chosen = try store.objects(selection)
                for object in chosen { store.context.delete(object) }
                store.context.processPendingChanges()
                return counts(chosen: Set(chosen), all: store.context.deletedObjects)
            }, report: { $0 })
    }

    private func counts(chosen: Set<NSManagedObject>, all: Set<NSManagedObject>) -> [Count] {
        Dictionary(grouping: all) { $0.entity.name ?? "" }.map { entity, objects in
            let own = objects.count { chosen.contains($0) }
            return Count(entity: entity, chosen: own, cascaded: objects.count - own)
        }.sorted { $0.entity.utf8.lexicographicallyPrecedes($1.entity.utf8) }
    }
}

extension Deletion {
    /// `{"deleted": number, "entities": {name: {"chosen", "cascaded"}}}`
    package static func json(_ counts: [Count]) -> JSONValue {
        let members = counts.map { count in
            (
                count.entity,
                JSONValue.object([
                    ("chosen", .integer(Int64(count.chosen))), ("cascaded", .integer(Int64(count.cascaded))),
                ])
            )
        }
        return .object([
            ("deleted", .integer(Int64(counts.reduce(0) { $0 + $1.chosen + $1.cascaded }))),
            ("entities", .object(members)),
        ])
    }
}
