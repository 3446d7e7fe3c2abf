import CoreDataFoundation

/// The mapping from one model to another as far as it can be inferred, entity by entity, also if inference fails.
///
/// A property whose values cannot be inferred has no expression: an attribute of another type, a relationship to
/// another entity, and the inverse of such a relationship, which would also set it.
package struct MappingScaffold {
    /// The mapping of one entity, with what its author must decide.
    package struct Entry {
        /// The old entity; nil if the entity is new.
        package let old: NSEntityDescription?
        /// The new entity; nil if the entity was removed.
        package let new: NSEntityDescription?
        package let mapping: NSEntityMapping
        /// What prevents inference, also for inherited properties; empty for abstract, new and removed entities.
        package let obstacles: [MigrationAnalysis.Finding]
        /// Why objects of a new entity may be made from those of `old`, which inference does not do; nil for other
        /// entities.
        package let guess: MigrationAnalysis.Finding?

        package var isInferred: Bool { obstacles.isEmpty && guess == nil }
    }

    /// First the entities of both models, then new ones, then removed ones; each group sorted by name.
    package let entries: [Entry]
    /// Whether the entire mapping is inferred, without guesses.
    package let isInferable: Bool

    package init(from old: NSManagedObjectModel, to new: NSManagedObjectModel) {
        let scaffolding = MappingScaffolding(old, new)
        entries = scaffolding.entries()
        isInferable = scaffolding.analysis.obstacles.isEmpty && entries.allSatisfy(\.isInferred)
    }
}

private struct MappingScaffolding {
    private typealias Finding = MigrationAnalysis.Finding

    private let matching: ModelMatching
    private let inferred: InferredMapping
    let analysis: MigrationAnalysis

    init(_ old: NSManagedObjectModel, _ new: NSManagedObjectModel) {
        matching = ModelMatching(old, new)
        inferred = InferredMapping(old, new)
        analysis = MigrationAnalysis(from: old, to: new)
    }

    func entries() -> [MappingScaffold.Entry] {
        let splits = EntitySplits(matching)
        var entries = matching.entities.map { entry($0.old, new: $0.new, guess: nil) }
        for added in matching.added {
            let split = splits.origin(of: added)
            entries.append(entry(split?.old, new: added, guess: split?.finding))
        }
        let used = Set(entries.compactMap { $0.old?.name })
        entries += matching.removed.filter { !used.contains($0.name ?? "") }.map { entry($0, new: nil, guess: nil) }
        clearInverses(in: entries)
        return entries
    }

    private func entry(
        _ old: NSEntityDescription?, new: NSEntityDescription?, guess: Finding?
    ) -> MappingScaffold.Entry {
        let mapping = inferred.mapping(old, new)
        guard let old, let new, !old.isAbstract, !new.isAbstract else {
            return .init(old: old, new: new, mapping: mapping, obstacles: [], guess: nil)
        }
        var inference = MappingInference(matching)
        inference.run(old, new)
        let obstacles = entityObstacles(new) + (inference.obstacles + rivals(new)).uniqued()
        clear(mapping, old: old, new: new, items: Set(obstacles.map(\.item)))
        return .init(old: old, new: new, mapping: mapping, obstacles: obstacles, guess: guess)
    }

    // MARK: Obstacles of more than one entity

    private func entityObstacles(_ new: NSEntityDescription) -> [Finding] {
        let olds = matching.entities.filter { $0.new.rootEntity === new.rootEntity }.map(\.old.rootEntity)
        let isMerged = Set(olds.map(ObjectIdentifier.init)).count > 1
        return analysis.obstacles.filter {
            $0.item == ModelItem(new) || isMerged && $0.item == ModelItem(new.rootEntity)
        }
    }

    /// The obstacles for properties that have the same renaming identifier.
    private func rivals(_ new: NSEntityDescription) -> [Finding] {
        let claimed = Dictionary(grouping: new.properties.filter { $0.declaredRenamingIdentifier != nil }) {
            "\($0.entity.name ?? "")\u{0}\($0.declaredRenamingIdentifier ?? "")"
        }
        let items = Set(claimed.values.filter { $0.count > 1 }.flatMap { $0 }.map { ModelItem($0) })
        return analysis.obstacles.filter { items.contains($0.item) }
    }

    // MARK: Expressions

    private func clear(
        _ mapping: NSEntityMapping, old: NSEntityDescription, new: NSEntityDescription, items: Set<ModelItem>
    ) {
        let pairs = ModelMatching.properties(old, new).filter { items.contains(ModelItem($0.new)) }
        let undecided = Set(pairs.filter { isUndecided($0.old, $0.new) }.map(\.new.name))
        for property in (mapping.attributeMappings ?? []) + (mapping.relationshipMappings ?? [])
        where undecided.contains(property.name ?? "") { property.valueExpression = nil }
    }

    /// Whether old values cannot be copied or converted; missing values are not a reason.
    private func isUndecided(_ old: NSPropertyDescription, _ new: NSPropertyDescription) -> Bool {
        switch (old, new) {
        case (let old as NSCompositeAttributeDescription, let new as NSCompositeAttributeDescription):
            return FactText.elements(of: old) != FactText.elements(of: new)
        case (let old as NSAttributeDescription, let new as NSAttributeDescription):
            return old.attributeType != new.attributeType
                && NumberConversion(from: old.attributeType, to: new.attributeType) == nil
        case (let old as NSRelationshipDescription, let new as NSRelationshipDescription):
            guard !old.isToMany || new.isToMany else { return true }
            guard let target = new.destinationEntity, let present = matching.new(of: old.destinationEntity) else {
                return true
            }
            return !present.isKindOf(entity: target) && !target.isKindOf(entity: present)
        default: return false
        }
    }

    private func clearInverses(in entries: [MappingScaffold.Entry]) {
        for inverse in entries.flatMap(undecidedRelationships).compactMap(\.inverseRelationship) {
            for entry in entries where entry.new?.isKindOf(entity: inverse.entity) == true {
                let property = entry.mapping.relationshipMappings?.first { $0.name == inverse.name }
                guard let property, property.valueExpression != nil else { continue }
                property.valueExpression = nil
                if entry.mapping.mappingType == .copyEntityMappingType {
                    entry.mapping.mappingType = .transformEntityMappingType
                }
            }
        }
    }

    private func undecidedRelationships(_ entry: MappingScaffold.Entry) -> [NSRelationshipDescription] {
        guard let old = entry.old, let new = entry.new else { return [] }
        let items = Set(entry.obstacles.map(\.item))
        return ModelMatching.properties(old, new).compactMap { pair in
            guard items.contains(ModelItem(pair.new)), isUndecided(pair.old, pair.new) else { return nil }
            return pair.new as? NSRelationshipDescription
        }
    }
}

extension [MigrationAnalysis.Finding] {
    fileprivate func uniqued() -> Self {
        var seen = Set<MigrationAnalysis.Finding>()
        return filter { seen.insert($0).inserted }
    }
}
