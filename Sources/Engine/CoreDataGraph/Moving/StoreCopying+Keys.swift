import CoreDataStore

/// What became of the keys of the records.
extension StoreCopying {
    /// Which records of the source those of the copy are, and of the stores before it, as far as their keys do not say so.
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

    /// Under which key the copy has each record.
    var movedKeys: MovedKeys {
        var keys = MovedKeys()
        for (root, given) in targets {
            for (key, target) in given { keys[root, key] = target.key }
        }
        return keys
    }
}
