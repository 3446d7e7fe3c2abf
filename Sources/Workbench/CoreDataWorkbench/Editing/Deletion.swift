import CoreData

/// Objects to be deleted by the delete rules of the model, all together or none.
package struct Deletion {
    /// How many objects of one entity went.
    package struct Count {
        package let entity: String
        /// Those that were chosen.
        package let chosen: Int
        /// Those that went because a delete rule says so.
        package let cascaded: Int
    }

    private let selection: ObjectSelection

    /// A deletion of the objects that a selection has.
    package init(_ selection: ObjectSelection) { self.selection = selection }

    /// Deletes the objects and those that the rules take with them; gives the counts by entity.
    ///
    /// - Throws: `InspectionError`, also where the rule Deny forbids it; the store is then as before.
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
