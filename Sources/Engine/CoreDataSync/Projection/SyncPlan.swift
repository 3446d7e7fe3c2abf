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
    /// - Parameter expected: Rows as the store has them where that is not what the state had before the event: after a save.
    mutating func changes(
        of concerned: Set<ObjectIdentity>, expected: [ObjectIdentity: SavedRow] = [:]
    ) throws -> [RowChange] {
        var all = concerned.union(expected.keys)
        var open = Array(all)
        // Who is stored decides which links the neighbours have.
        while let next = open.popLast() {
            guard isInPart != nil || placed.contains(next) || valued[next] == nil, try updateStored(next) else {
                continue
            }
            for neighbour in try neighbours(of: next) where all.insert(neighbour).inserted { open.append(neighbour) }
        }
        return try all.sorted().compactMap { object in
            let saved = expected[object]
            guard let selection = selection(of: object, saved), try old.isStored(object), try view.isStored(object)
            else { return try change(of: object, saved) }
            return try change(of: object, selection)
        }
    }

    /// The attributes in which a row can have changed; nil if all of it is to be compared.
    private func selection(of object: ObjectIdentity, _ saved: SavedRow?) -> AttributeSelection? {
        guard !placed.contains(object) else { return nil }
        switch saved {
        case nil: return valued[object].map { AttributeSelection(identifiers: $0) }
        case .values(let values): return AttributeSelection(identifiers: valued[object] ?? [], values: values)
        case .whole, .deleted: return nil
        }
    }

    /// Some attributes, by identifiers or names.
    private struct AttributeSelection {
        let identifiers: Set<SchemaID>
        var values: [String: SyncValue] = [:]

        func contains(_ attribute: SyncAttribute) -> Bool {
            identifiers.contains(attribute.id) || values[attribute.name] != nil
        }
    }

    private func change(of object: ObjectIdentity, _ selection: AttributeSelection) throws -> RowChange? {
        guard let entity = try view.entity(object) else { return nil }
        var changed = SyncRow(object, entity: entity.name)
        let (before, after) = (try old.members(object), try view.members(object))
        for attribute in entity.attributes where selection.contains(attribute) {
            let present = try selection.values[attribute.name] ?? old.value(of: before, attribute, entity)
            let value = try view.value(of: after, attribute, entity)
            if !SyncRow.isSame(present, value) { changed.values[attribute.name] = value }
        }
        return changed.values.isEmpty ? nil : .update(changed)
    }

    /// Decides whether the store keeps a group; returns whether that, or its survivor, changed.
    private func updateStored(_ survivor: ObjectIdentity) throws -> Bool {
        let wasStored = try old.isStored(survivor)
        var isStored = try view.isVisible(survivor)
        if isStored, let isInPart, let row = try view.row(survivor, where: view.isVisible) { isStored = isInPart(row) }
        guard let known = try view.state.record(survivor)?.derived.isStored else { return wasStored }
        if known != isStored {
            try view.state.update(survivor) { $0.derived.isStored = isStored }
        }
        return wasStored != isStored
    }

    private func change(of object: ObjectIdentity, _ saved: SavedRow?) throws -> RowChange? {
        var before: SyncRow?
        switch saved {
        case .deleted: before = nil
        case .whole(let row): before = row
        case .values(let values):
            before = try old.isStored(object) ? try old.row(object, where: old.isStored) : nil
            before?.values.merge(values) { $1 }
        case nil: before = try old.isStored(object) ? try old.row(object, where: old.isStored) : nil
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

    static func isSame(_ one: SyncValue?, _ other: SyncValue) -> Bool {
        // A set without elements may be null in a store.
        if case .array(let elements) = other, elements.isEmpty, one?.isNull ?? true { return true }
        return one == other
    }
}
