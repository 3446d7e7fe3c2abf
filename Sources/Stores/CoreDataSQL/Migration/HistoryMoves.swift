import CoreDataStore

/// How a migration rewrites the changes of one entity in a history.
package struct HistoryMoves {
    package let number: Int
    package let newNumber: Int
    package let before: HistoryProperties
    package let after: HistoryProperties
    /// By the number of an old property: its new number; nil if the property was removed.
    private let moves: [Int?]
    /// By the number of a new tombstone value: the number of the old one; nil if there was none.
    package let tombstones: [Int?]
    /// By the number of a new tombstone value: how it is converted from the old one; nil if it stays as it is.
    private let conversions: [TombstoneConversion?]

    package var movesProperties: Bool {
        before.names.count != after.names.count || moves != before.names.indices.map { Int?($0) }
    }

    package var movesTombstones: Bool {
        tombstones != before.tombstoneSlots.indices.map { Int?($0) } || conversions.contains { $0 != nil }
    }

    /// Whether a new tombstone value is converted from the old one.
    package func converts(_ tombstone: Int) -> Bool {
        conversions.indices.contains(tombstone) && conversions[tombstone] != nil
    }

    /// Returns the new tombstone value for an old one.
    package func converted(_ cell: DerivedCell, for tombstone: Int) -> DerivedCell {
        guard converts(tombstone), let conversion = conversions[tombstone] else { return cell }
        return conversion.converted(cell)
    }

    /// Returns all new tombstone values of a change for its old ones.
    package func converted(_ cells: [DerivedCell]) -> [DerivedCell] {
        tombstones.enumerated().map { number, place in
            guard let place, cells.indices.contains(place) else { return .null }
            return converted(cells[place], for: number)
        }
    }

    /// Returns the moves of all entities that the migration keeps.
    package static func all(
        of migration: SchemaMigration, from old: ModelLayout, to new: ModelLayout
    ) -> [HistoryMoves] {
        migration.keptEntities.compactMap { entity in
            guard let before = old.layout(named: entity.before.name), let after = new.layout(named: entity.after.name)
            else { return nil }
            let (was, now) = (HistoryProperties(before), HistoryProperties(after))
            let former = Dictionary(entity.names.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
            let wasKept = was.tombstoneSlots.map { before.slots[$0].name }
            let tombstones = now.tombstoneSlots.map { slot in
                former[after.slots[slot].name].flatMap { wasKept.firstIndex(of: $0) }
            }
            let conversions = zip(now.tombstoneSlots, tombstones).map { slot, place -> TombstoneConversion? in
                guard let place, case .attribute(let new, _) = after.slots[slot].content,
                    case .attribute(let old, _) = before.slots[was.tombstoneSlots[place]].content
                else { return nil }
                return TombstoneConversion(from: old, to: new)
            }
            return HistoryMoves(
                number: entity.before.number, newNumber: entity.after.number, before: was, after: now,
                moves: was.names.map { entity.names[$0].flatMap(now.number(of:)) },
                tombstones: tombstones, conversions: conversions)
        }
    }

    /// Converts a packed set of properties from the entity's old version to its new one, without removed properties.
    ///
    /// Returns nil if the bytes are not a set of the old version's properties.
    package func moved(packed: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let properties = before.properties(packed: packed) else { return nil }
        var moved = SlotSet()
        for (number, target) in moves.enumerated() where properties.contains(number) {
            if let target { moved.insert(target) }
        }
        return after.packed(moved)
    }
}
