import CoreDataRecordStores
import CoreDataSQL

/// The records of a store for predicates that are evaluated in memory. They are read from the server on first access.
///
/// `prefetch` reads the targets of a key path for many rows at once, so that evaluation costs one query per step of a
/// path instead of one per row.
final class ServerRecords: RecordFinding {
    private struct Owner: Hashable {
        let relationship: ObjectIdentifier
        let key: Int64
    }

    private let session: PostgresSession
    private var rows: [RowKey: RowSnapshot?] = [:]
    private var memberKeys: [Owner: [Int64]] = [:]
    private var failure: (any Error)?

    init(_ session: PostgresSession) { self.session = session }

    var model: ModelLayout { session.shape.layouts }

    func binding(ofEntity number: Int) -> EntityBinding {
        session.shape.store.binding(for: model.entities[number])
    }

    /// Throws the error of a failed read, if there was one; everything evaluated since then is invalid.
    func requireRead() throws { if let failure { throw failure } }

    /// Discards the rows read so far, to limit memory use.
    func forget() {
        rows = [:]
        memberKeys = [:]
    }

    // MARK: Asked by expressions

    func row(root: Int, key: Int64) -> RowSnapshot? {
        let place = RowKey(table: root, key: key)
        if let known = rows[place] { return known }
        guard let layout = model.entities.first(where: { $0.root == root }) else { return nil }
        read([key], of: layout)
        return rows[place] ?? nil
    }

    func members(of relationship: NSRelationshipDescription, owner: Int64) -> [Int64] {
        let place = Owner(relationship: ObjectIdentifier(relationship), key: owner)
        if let known = memberKeys[place] { return known }
        read([owner], relationship)
        return memberKeys[place] ?? []
    }

    // MARK: Read ahead

    /// Reads what key paths from rows lead to, with one query for each step.
    func prefetch(_ paths: Set<[String]>, from start: [RowSnapshot]) {
        for path in paths {
            var rows = start
            for step in path {
                guard !rows.isEmpty, failure == nil else { break }
                rows = next(step, from: rows)
            }
        }
    }

    /// Returns the destination rows of a relationship of rows, each once.
    private func next(_ step: String, from rows: [RowSnapshot]) -> [RowSnapshot] {
        var next: [RowSnapshot] = []
        for group in Dictionary(grouping: rows, by: { $0.slab.layout.number }).values {
            guard let layout = group.first?.slab.layout else { continue }
            switch layout.places[step] {
            case .toOne(let slot):
                guard case .toOne(let relationship) = layout.slots[slot].content,
                    let destination = relationship.destinationEntity.flatMap(model.layout(of:))
                else { continue }
                let keys = Set(group.compactMap { $0.slab.reference($0.index, slot)?.key })
                read(keys.filter { self.rows[RowKey(table: destination.root, key: $0)] == nil }, of: destination)
                next += keys.compactMap { self.rows[RowKey(table: destination.root, key: $0)] ?? nil }
            case .toMany(let number):
                let relationship = layout.toMany[number]
                let owners = group.map(\.key)
                let missing = owners.filter {
                    memberKeys[Owner(relationship: ObjectIdentifier(relationship), key: $0)] == nil
                }
                read(missing, relationship)
                guard let root = relationship.destinationEntity.flatMap(model.layout(of:))?.root else { continue }
                let keys = owners.reduce(into: Set<Int64>()) { keys, owner in
                    keys.formUnion(memberKeys[Owner(relationship: ObjectIdentifier(relationship), key: owner)] ?? [])
                }
                next += keys.compactMap { self.rows[RowKey(table: root, key: $0)] ?? nil }
            default: continue
            }
        }
        return next
    }

    private func read(_ keys: some Collection<Int64>, of layout: EntityLayout) {
        guard failure == nil, !keys.isEmpty else { return }
        for key in keys { rows[RowKey(table: layout.root, key: key)] = .some(nil) }
        do {
            let binding = session.shape.store.binding(
                for: layout.root == layout.number ? layout : rootLayout(of: layout))
            keep(try session.rows(of: binding, keys: Array(keys)), root: layout.root)
        } catch {
            failure = error
        }
    }

    private func rootLayout(of layout: EntityLayout) -> EntityLayout {
        model.entities.first { $0.root == layout.root } ?? layout
    }

    private func read(_ owners: [Int64], _ relationship: NSRelationshipDescription) {
        guard failure == nil, !owners.isEmpty, let layout = relationship.entity.flatMap(model.layout(of:)) else {
            return
        }
        for owner in owners {
            memberKeys[Owner(relationship: ObjectIdentifier(relationship), key: owner)] = []
        }
        do {
            let binding = session.shape.store.binding(for: layout)
            let found = try session.members(of: relationship, owner: binding, keys: owners)
            if let root = relationship.destinationEntity.flatMap(model.layout(of:))?.root {
                keep(found.rows, root: root)
            }
            for (owner, member) in found.pairs {
                memberKeys[Owner(relationship: ObjectIdentifier(relationship), key: owner), default: []].append(member)
            }
        } catch {
            failure = error
        }
    }

    private func keep(_ runs: [RowRun], root: Int) {
        for run in runs {
            for index in run.range {
                rows[RowKey(table: root, key: run.slab.key(index))] = RowSnapshot(slab: run.slab, index: index)
            }
        }
    }
}
