import CoreDataStore

/// How a migration rewrites the changes of one entity in a history.
package struct HistoryMoves {
    package let number: Int
    package let newNumber: Int
    package let before: HistoryProperties
    package let after: HistoryProperties
    /// By the number of a property before; nil where it is gone.
    private let moves: [Int?]
    /// For each tombstone of now that of before.
    package let tombstones: [Int?]
    /// For each tombstone of now how its values are made of those of before; nil where they stay as they are.
    private let conversions: [TombstoneConversion?]

    package var movesProperties: Bool {
        before.names.count != after.names.count || moves != before.names.indices.map { Int?($0) }
    }

    package var movesTombstones: Bool {
        tombstones != before.tombstoneSlots.indices.map { Int?($0) } || conversions.contains { $0 != nil }
    }

    /// Whether a tombstone of now has other values than that of before.
    package func converts(_ tombstone: Int) -> Bool {
        conversions.indices.contains(tombstone) && conversions[tombstone] != nil
    }

    /// The value of a tombstone of now, of that of before which it is made of.
    package func converted(_ cell: DerivedCell, for tombstone: Int) -> DerivedCell {
        guard converts(tombstone), let conversion = conversions[tombstone] else { return cell }
        return conversion.converted(cell)
    }

    /// All tombstones of a change, of those of before.
    package func converted(_ cells: [DerivedCell]) -> [DerivedCell] {
        tombstones.enumerated().map { number, place in
            guard let place, cells.indices.contains(place) else { return .null }
            return converted(cells[place], for: number)
        }
    }

    /// The moves of all remaining entities.
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
