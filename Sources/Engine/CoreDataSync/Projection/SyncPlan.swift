/// A change of a store's row.
package enum RowChange: Hashable, Sendable {
    case insert(SyncRow)
    /// Attributes and relationships that changed, with their new contents.
    case update(SyncRow)
    /// The row goes; references to it are to the other object from now on, if one is named: both have become one.
    case delete(ObjectIdentity, entity: String, survivor: ObjectIdentity?)
    /// The row leaves the part that the store keeps; the object lives on elsewhere.
    case evict(ObjectIdentity, entity: String)

    package var object: ObjectIdentity {
        switch self {
        case .insert(let row), .update(let row): row.id
        case .delete(let object, _, _), .evict(let object, _): object
        }
    }
}

/// What a store commits in one transaction: rows, and the state of sync beside them.
///
/// It is applied whole or not at all. Rows refer to each other in any order; checks of references and unique values belong at the end.
package struct SyncPlan: Hashable, Sendable {
    package var rows: [RowChange] = []
    package var state: [StateEntry] = []
    /// Objects that get rows by later plans of the same transaction, to which rows may refer before.
    package var announced: [AnnouncedRow] = []
    /// Whether the rows that the plan inserts were announced.
    package var isAnnounced = false

    /// An object that gets a row.
    package struct AnnouncedRow: Hashable, Sendable {
        package let object: ObjectIdentity
        package let entity: String
    }

    package init() {}

    package var isEmpty: Bool { rows.isEmpty && state.isEmpty && announced.isEmpty }
}

extension Projector {
    /// The changes of rows, given survivors whose rows may have changed.
    ///
    /// - Parameter expected: Rows as the store has them where that is not what the state had before the event: after a save. A value of
    ///   nil is a row that was deleted.
    mutating func changes(
        of concerned: Set<ObjectIdentity>, expected: [ObjectIdentity: SyncRow?] = [:]
    ) throws -> [RowChange] {
        var all = concerned.union(expected.keys)
        var open = Array(all)
        // Who is stored decides which links the neighbours have.
        while let next = open.popLast() {
            guard try updateStored(next) else { continue }
            for neighbour in try neighbours(of: next) where all.insert(neighbour).inserted { open.append(neighbour) }
        }
        return try all.sorted().compactMap { try change(of: $0, expected) }
    }

    /// Decides whether the store keeps a group; returns whether that, or its survivor, changed.
    private func updateStored(_ survivor: ObjectIdentity) throws -> Bool {
        let wasStored = try old.isStored(survivor)
        var isStored = try view.isVisible(survivor)
        if isStored, let isInPart, let row = try view.row(survivor, where: view.isVisible) { isStored = isInPart(row) }
        guard var record = try view.state.record(survivor) else { return wasStored }
        if record.derived.isStored != isStored {
            record.derived.isStored = isStored
            view.state.set(record, for: survivor)
        }
        return wasStored != isStored
    }

    private func change(of object: ObjectIdentity, _ expected: [ObjectIdentity: SyncRow?]) throws -> RowChange? {
        let before: SyncRow?
        if let row = expected[object] {
            before = row
        } else {
            before = try old.isStored(object) ? try old.row(object, where: old.isStored) : nil
        }
        let after = try view.isStored(object) ? try view.row(object, where: view.isStored) : nil
        switch (before, after) {
        case (nil, nil): return nil
        case (nil, let row?): return .insert(row)
        case (let row?, nil):
            let survivor = try view.survivor(object)
            if let survivor, survivor == object, try view.isVisible(object) {
                return .evict(object, entity: row.entity)
            }
            let successor = survivor == object ? nil : survivor
            return .delete(object, entity: row.entity, survivor: successor)
        case (let row?, let next?):
            if row.entity != next.entity { return .insert(next) }
            return next.difference(from: row).map { .update($0) }
        }
    }
}

extension SyncRow {
    /// The attributes and relationships in which a row differs from another; nil if there are none.
    func difference(from other: SyncRow) -> SyncRow? {
        var changed = SyncRow(id, entity: entity)
        for (name, value) in values where !Self.isSame(other.values[name], value) { changed.values[name] = value }
        for (name, objects) in links where other.links[name] ?? [] != objects { changed.links[name] = objects }
        return changed.values.isEmpty && changed.links.isEmpty ? nil : changed
    }

    private static func isSame(_ one: SyncValue?, _ other: SyncValue) -> Bool {
        // A set without elements may be null in a store.
        if case .array(let elements) = other, elements.isEmpty, one?.isNull ?? true { return true }
        return one == other
    }
}
