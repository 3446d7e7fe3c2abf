import CoreData

/// A table of a store's file, and the number of its rows; nil if they cannot be counted.
package struct StoreTable {
    package let name: String
    package let rows: Int?

    static func all(in store: RawStore) -> [StoreTable] {
        store.tables.map { StoreTable(name: $0, rows: try? store.rowCount(of: $0)) }
    }
}

/// An entity in a store's list of entities, with the numbers of its rows; nil if they cannot be counted.
struct RawCount {
    let name: String
    let superentity: String?
    let depth: Int
    let count: Int?
    let countWithSubentities: Int?

    /// The entities in the order of their numbers: each is followed by its subentities.
    static func all(in store: RawStore?) -> [RawCount] {
        guard let store, let entities = try? store.entities() else { return [] }
        var counts: [String: [Int64: Int]] = [:]
        for table in Set(entities.compactMap(\.table)) { counts[table] = try? store.counts(in: table) }
        let byNumber = Dictionary(entities.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        var totals: [Int64: Int] = [:]
        // Subentities have greater numbers, so in reverse order the total of an entity is complete before it is added
        // to its superentity's.
        for entity in entities.reversed() {
            let own = entity.table.flatMap { counts[$0] }?[entity.number] ?? 0
            totals[entity.number, default: 0] += own
            if entity.parent < entity.number { totals[entity.parent, default: 0] += totals[entity.number] ?? 0 }
        }
        var depths: [Int64: Int] = [:]
        return entities.map { entity in
            let depth = depths[entity.parent].map { $0 + 1 } ?? 0
            depths[entity.number] = depth
            let rows = entity.table.flatMap { counts[$0] }
            return RawCount(
                name: entity.name, superentity: byNumber[entity.parent]?.name, depth: depth,
                count: rows.map { $0[entity.number] ?? 0 },
                countWithSubentities: rows.map { _ in totals[entity.number] ?? 0 })
        }
    }
}
