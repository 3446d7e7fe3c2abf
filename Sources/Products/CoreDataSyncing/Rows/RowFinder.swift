import CoreDataGraph
import CoreDataModeling
import CoreDataStore
import CoreDataSync

/// Reads rows of a store as the engine sees them.
struct RowFinder {
    static let portion = 500
    /// How many rows are read at once where they may have large values.
    private static let smallPortion = 50

    let store: NSPersistentStore
    let source: any ObjectStore
    let mapping: ModelMapping
    /// What cuts and joins large values; nil where no values are read.
    var largeValues: LargeValueStore?

    /// A row that was read: the targets of its relationships are rows, not yet objects.
    struct Found {
        let row: IdentityMap.Row
        let entity: EntityMapping
        var values: [String: SyncValue]
        var links: [String: [IdentityMap.Row]]
    }

    func binding(_ layout: EntityLayout) -> EntityBinding { store.binding(for: layout) }

    /// The rows with the given keys of an entity's hierarchy, by key.
    func snapshots(_ layout: EntityLayout, _ keys: [Int64]) throws -> [Int64: RowSnapshot] {
        var found: [Int64: RowSnapshot] = [:]
        for start in stride(from: 0, to: keys.count, by: Self.portion) {
            let portion = Array(keys[start..<min(start + Self.portion, keys.count)])
            for run in try source.rows(of: binding(layout), keys: portion) {
                for index in run.range { found[run.slab.key(index)] = RowSnapshot(slab: run.slab, index: index) }
            }
        }
        return found
    }

    /// The keys of all rows of one entity, without those of its subentities.
    func keys(_ layout: EntityLayout) throws -> [Int64] {
        let query = FetchQuery(binding: binding(layout), includesSubentities: false, includesValues: false)
        switch try source.fetch(query) {
        case .addresses(let addresses): return Array(addresses.keys).sorted()
        case .rows(let runs): return runs.flatMap { run in run.range.map { run.slab.key($0) } }.sorted()
        }
    }

    /// Reads rows with given keys; those that do not exist, or whose entity is not synced, are left out.
    func rows(_ layout: EntityLayout, _ keys: [Int64]) throws -> [Found] {
        var found: [Int64: Found] = [:]
        let hasData = mapping.entities.contains { $0.layout.root == layout.root && $0.hasData }
        let size = hasData ? Self.smallPortion : Self.portion
        for start in stride(from: 0, to: keys.count, by: size) {
            for (key, snapshot) in try snapshots(layout, Array(keys[start..<min(start + size, keys.count)])) {
                guard let entity = mapping[snapshot.slab.layout] else { continue }
                found[key] = try read(snapshot, entity)
            }
        }
        for (number, group) in Dictionary(grouping: found.keys, by: { found[$0]?.entity.layout.number ?? 0 }) {
            guard let entity = mapping[layout.model.entities[number]] else { continue }
            for end in entity.ends where end.slot == nil { try addMembers(end, entity, group, &found) }
        }
        return keys.compactMap { found[$0] }
    }

    private func read(_ snapshot: RowSnapshot, _ entity: EntityMapping) throws -> Found {
        var found = Found(
            row: IdentityMap.Row(root: mapping.root(of: entity.layout), key: snapshot.key), entity: entity,
            values: [:], links: [:])
        for attribute in entity.attributes {
            found.values[attribute.name] = try attribute.value(
                in: snapshot.slab, snapshot.index, from: source, largeValues)
        }
        for end in entity.ends {
            guard let slot = end.slot else {
                found.links[end.name] = []
                continue
            }
            found.links[end.name] = target(of: end, slot, snapshot).map { [$0] } ?? []
        }
        return found
    }

    private func target(
        of end: EntityMapping.LinkEnd, _ slot: Int, _ snapshot: RowSnapshot
    ) -> IdentityMap.Row? {
        guard let reference = snapshot.slab.reference(snapshot.index, slot) else { return nil }
        let layouts = snapshot.slab.layout.model.entities
        let known = reference.target.flatMap { layouts.indices.contains($0) ? layouts[$0] : nil }
        let layout = known ?? end.relationship.destinationEntity.flatMap { snapshot.slab.layout.model.layout(of: $0) }
        return layout.map { IdentityMap.Row(root: mapping.root(of: $0), key: reference.key) }
    }

    private func addMembers(
        _ end: EntityMapping.LinkEnd, _ entity: EntityMapping, _ owners: [Int64], _ found: inout [Int64: Found]
    ) throws {
        let declaring = SchemaBuilder.declaring(end.name, of: entity.layout.entity)
        guard let owner = entity.layout.model.layout(of: declaring), case .toMany(let number)? = owner.places[end.name],
            let destination = end.relationship.destinationEntity,
            let target = entity.layout.model.layout(of: destination)
        else { return }
        let root = mapping.root(of: target)
        for start in stride(from: 0, to: owners.count, by: Self.portion) {
            let portion = Array(owners[start..<min(start + Self.portion, owners.count)])
            let members = try source.members(of: owner.toMany[number], owner: binding(owner), keys: portion)
            for pair in members.pairs {
                found[pair.owner]?.links[end.name]?.append(IdentityMap.Row(root: root, key: pair.member))
            }
        }
    }
}

extension RowFinder {
    /// The identifier of the object in a row; nil if its entity is not synced.
    func objectID(of place: IdentityMap.Place) -> NSManagedObjectID? {
        mapping[place.entity].map { RowAddress(binding: binding($0.layout), key: place.row.key).objectID }
    }
}
