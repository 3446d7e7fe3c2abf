import CoreDataStore

/// The keys of the copied records.
extension StoreCopying {
    /// The map from the copy's keys to those of the source and of the stores that the source was copied from; nil if
    /// all keys are the same in all of them.
    var copiedKeys: CopiedKeys? {
        guard let coordinator = source.persistentStoreCoordinator, let origin = source.identifier else { return nil }
        let former = CopiedKeys(of: source.metadata ?? [:])
        guard !keepsKeys else { return former.flatMap { CopiedKeys(origin: origin, nil, after: $0) } }
        let entities = coordinator.modelLayout.entities
        var keys: [String: [(original: Int64, key: Int64)]] = [:]
        for (root, given) in targets where entities.indices.contains(root) {
            keys[entities[root].entity.name ?? ""] = given.map { ($0.key, $0.value.key) }
        }
        return CopiedKeys(origin: origin, keys, after: former)
    }

    /// The key of each record in the copy.
    var movedKeys: MovedKeys {
        var keys = MovedKeys()
        for (root, given) in targets {
            for (key, target) in given { keys[root, key] = target.key }
        }
        return keys
    }
}
