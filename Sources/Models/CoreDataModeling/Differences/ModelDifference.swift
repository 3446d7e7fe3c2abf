import CoreDataFoundation

/// The additions, removals, renamings, moves and changes from one model to another.
///
/// Invariants:
/// 1. Two models with the same content have no changes, whatever their formats and the order of their parts.
/// 2. The order of the changes depends only on names.
/// 3. For every changed version hash, at least one change has `changesVersionHash`.
package struct ModelDifference: Hashable, Sendable {
    /// The changes: of the model, then of each entity with its properties, indexes and constraints, then the rest.
    package let changes: [ModelChange]
    /// The names of entities, of either model, whose version hash differs or that the other model does not have.
    package let entitiesWithOtherHash: [String]

    /// Compares two models.
    ///
    /// Takes time in proportion to the number of properties, with inherited ones counted for every entity.
    package init(from old: NSManagedObjectModel, to new: NSManagedObjectModel) {
        var comparison = ModelComparison(old, new)
        changes = comparison.run()
        entitiesWithOtherHash = new.entitiesDiffering(from: old.entityVersionHashesByName).map(\.entity)
    }

    private init(changes: [ModelChange], entitiesWithOtherHash: [String]) {
        self.changes = changes
        self.entitiesWithOtherHash = entitiesWithOtherHash
    }

    /// Whether the models have no differences.
    package var isEmpty: Bool { changes.isEmpty }

    /// The difference without information that only sources have, for comparison with a compiled model.
    package var ofCompiledForms: ModelDifference {
        let rest = changes.compactMap { change -> ModelChange? in
            let aspects = change.aspects.filter { !$0.isOfSource }
            if case .changed = change.action, aspects.isEmpty { return nil }
            return ModelChange(
                item: change.item, action: change.action, aspects: aspects,
                changesVersionHash: change.changesVersionHash)
        }
        return ModelDifference(changes: rest, entitiesWithOtherHash: entitiesWithOtherHash)
    }
}
