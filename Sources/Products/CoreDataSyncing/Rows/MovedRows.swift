import CoreDataModeling
import CoreDataStore
import CoreDataSync

/// Follows the moves that a migration by a mapping model noted (`RowMoves`): the object of a row is that of the first row of the same
/// entity that was made of it.
///
/// An object whose row has no such successor, though the model has its entity, is deleted at the next capture: the mapping left it out,
/// or made one row of several. Rows that were made besides are new objects.
struct MovedRows {
    /// How many entries are written at once.
    private static let portion = 1_000

    private let side: any SideTableKeeping
    private let mapping: ModelMapping

    init(_ side: any SideTableKeeping, _ mapping: ModelMapping) {
        self.side = side
        self.mapping = mapping
    }

    /// Does nothing where there are no moves. After it the next capture compares all rows, since the history begins with the migration.
    func follow() throws {
        guard try !side.sideEntries(withPrefix: RowMoves.prefix, after: nil, atMost: 1).isEmpty else { return }
        var places = try successors()
        var absent: Int64 = 0
        try IdentityMap.enumeratePlaces(side) { object, former in
            guard places[object] == nil, let entity = mapping[former.entity] else { return }
            // A key that no row has: a comparison finds that the object's row is gone.
            absent += 1
            let row = IdentityMap.Row(root: mapping.root(of: entity.layout), key: -absent)
            places[object] = IdentityMap.Place(row: row, entity: former.entity)
        }
        for prefix in [[AdapterKey.identity], [AdapterKey.row], RowMoves.prefix] { try remove(withPrefix: prefix) }
        let map = IdentityMap(side)
        for (count, (object, place)) in places.enumerated() {
            map.set(object, place)
            guard count % Self.portion == Self.portion - 1 else { continue }
            try side.writeSideEntries(map.takeChanges())
            map.forget()
        }
        try side.writeSideEntries(map.takeChanges() + [SideEntry(key: AdapterKey.captured, value: nil)])
    }

    /// Where the objects are whose rows were made again.
    private func successors() throws -> [ObjectIdentity: IdentityMap.Place] {
        var places: [ObjectIdentity: IdentityMap.Place] = [:]
        var taken = Set<IdentityMap.Row>()
        var last: [UInt8]?
        while true {
            let entries = try side.sideEntries(withPrefix: RowMoves.prefix, after: last, atMost: Self.portion)
            guard let end = entries.last else { return places }
            last = end.key
            let map = IdentityMap(side)
            for entry in entries {
                guard let source = RowMoves.source(entry.key), let value = entry.value,
                    let object = try map.identity(
                        of: IdentityMap.Row(root: SchemaID(entity: source.root), key: source.key)),
                    let former = try map.place(of: object), let entity = mapping[former.entity]
                else { continue }
                let root = mapping.root(of: entity.layout)
                let rows = RowMoves.destinations(value).filter { SchemaID(entity: $0.entity) == former.entity }
                    .map { IdentityMap.Row(root: root, key: $0.key) }
                guard let row = rows.first(where: { !taken.contains($0) }) else { continue }
                taken.insert(row)
                places[object] = IdentityMap.Place(row: row, entity: former.entity)
            }
        }
    }

    private func remove(withPrefix prefix: [UInt8]) throws {
        while true {
            let entries = try side.sideEntries(withPrefix: prefix, after: nil, atMost: Self.portion)
            guard !entries.isEmpty else { return }
            try side.writeSideEntries(entries.map { SideEntry(key: $0.key, value: nil) })
        }
    }
}
