import CoreDataFoundation
import Synchronization

extension NSManagedObjectModel {
    /// Makes the model and all its descriptions immutable and precomputes their look-up tables.
    ///
    /// A coordinator calls it before it shares the model. A second call does nothing. Any thread may call it.
    package func freeze() {
        freezing.withLock { _ in
            guard !isFrozen else { return }
            let all = entities
            number(all)
            for entity in all {
                entity.freezeProperties()
                entity.managedObjectModel = self
            }
            frozenEntities = all
            frozenEntitiesByName = Self.named(all)
            isFrozen = true
        }
    }

    /// The entities in the order of their numbers: root entities in case-insensitive order of names, each followed by
    /// its descendants.
    ///
    /// Source: the numbers (`Z_ENT`) of entities in stores that Apple's framework wrote.
    package static func numbered(_ entities: [NSEntityDescription]) -> [NSEntityDescription] {
        var order: [NSEntityDescription] = []
        var seen = Set<ObjectIdentifier>()
        var open = Array(sorted(entities.filter { $0.superentity == nil }).reversed())
        while let entity = open.popLast() {
            guard seen.insert(ObjectIdentifier(entity)).inserted else { continue }
            order.append(entity)
            open += sorted(entity.subentities).reversed()
        }
        // Entities whose superentity is not in the model, or that inherit in a cycle, need a number too.
        return order + sorted(entities.filter { !seen.contains(ObjectIdentifier($0)) })
    }

    private static func sorted(_ entities: [NSEntityDescription]) -> [NSEntityDescription] {
        guard entities.count > 1 else { return entities }
        return entities.map { (($0.name ?? "").uppercased(), $0.name ?? "", $0) }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }

    private func number(_ all: [NSEntityDescription]) {
        let order = Self.numbered(all)
        let identity = ModelIdentity()
        // The last number of a subtree is computed from the end, since children come after their parents.
        var last: [ObjectIdentifier: Int] = [:]
        for (index, entity) in order.enumerated().reversed() {
            let mine = max(last[ObjectIdentifier(entity)] ?? 0, index + 1)
            last[ObjectIdentifier(entity)] = mine
            if let parent = entity.superentity {
                last[ObjectIdentifier(parent)] = max(last[ObjectIdentifier(parent)] ?? 0, mine)
            }
        }
        let frozen = order.enumerated().map { index, entity in
            FrozenEntity(
                entity, number: index + 1, lastDescendant: last[ObjectIdentifier(entity)] ?? index + 1, model: identity)
        }
        for (entity, values) in zip(order, frozen) { entity.frozen = values }
    }
}

extension NSEntityDescription {
    func freezeProperties() {
        for property in ownProperties { property.freeze() }
        for index in indexes { index.freeze() }
    }
}

extension NSPropertyDescription {
    func freeze() {
        guard !isFrozen else { return }
        isFrozen = true
        guard let composite = self as? NSCompositeAttributeDescription else { return }
        var open = composite.elements
        while let element = open.popLast() {
            guard !element.isFrozen else { continue }
            element.isFrozen = true
            if let nested = element as? NSCompositeAttributeDescription { open += nested.elements }
        }
    }
}
