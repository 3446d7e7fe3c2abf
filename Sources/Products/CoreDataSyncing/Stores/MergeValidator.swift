import CoreDataStore
import CoreDataSync

/// Asks the program about merges, with the objects that they change.
///
/// Used on the queue of the session, in a transaction of the store.
final class MergeValidator: @unchecked Sendable {
    private let ask: @Sendable (SyncMerge) -> SyncVerdict
    /// The transaction that is open.
    weak var transaction: StoreTransaction?

    init(_ ask: @escaping @Sendable (SyncMerge) -> SyncVerdict) { self.ask = ask }

    func validate(_ rows: [RowChange]) -> ValidationResult {
        guard let transaction else { return .accepted }
        do {
            var identities: [String: ObjectIdentity] = [:]
            let objects = try rows.map { try object($0, transaction, &identities) }
            switch ask(SyncMerge(objects: objects)) {
            case .accept: return .accepted
            case .refuse(let reason): return .refused(reason)
            case .correct(let corrections):
                var subjects = CorrectionSubjects(transaction.finder.mapping)
                for object in objects { subjects.entities[object.identity] = object.entity }
                for (name, identity) in identities { subjects.objects[name] = .known(identity) }
                for correction in corrections { try subjects.add(correction) }
                let changes = try corrections.map { try change($0, subjects) }
                return .corrected(changes)
            }
        } catch let error as CorrectionRefusal {
            return .refused(error.reason)
        } catch {
            return .refused("the objects of the merge cannot be read: \(error)")
        }
    }

    // MARK: Objects

    private func object(
        _ change: RowChange, _ transaction: StoreTransaction, _ identities: inout [String: ObjectIdentity]
    ) throws -> SyncMerge.Object {
        let place = try transaction.map.place(of: change.object)
        var values = try place.map { try present($0, transaction) } ?? [:]
        var row: SyncRow?
        let kind: SyncMerge.Object.Change
        let entity: String
        switch change {
        case .insert(let inserted): (kind, entity, row) = (.inserted, inserted.entity, inserted)
        case .update(let updated): (kind, entity, row) = (.updated, updated.entity, updated)
        case .delete(_, let name, _): (kind, entity) = (.deleted, name)
        case .evict(_, let name): (kind, entity) = (.evicted, name)
        }
        values.merge(row?.values ?? [:]) { _, new in new }
        for id in [change.object] + (row?.links.values.flatMap { $0 } ?? []) { identities[id.description] = id }
        return SyncMerge.Object(
            change: kind, entity: entity, identity: change.object.description,
            objectID: place.flatMap { transaction.finder.objectID(of: $0) },
            values: values.compactMapValues { try? ValueConversion.plainObject($0) },
            changedKeys: Set(row.map { Array($0.values.keys) + Array($0.links.keys) } ?? []),
            relationships: row?.links.mapValues { $0.map(\.description) } ?? [:])
    }

    /// The values of the row that an object has.
    private func present(_ place: IdentityMap.Place, _ transaction: StoreTransaction) throws -> [String: SyncValue] {
        guard let entity = transaction.finder.mapping[place.entity] else { return [:] }
        return try transaction.finder.rows(entity.layout, [place.row.key]).first?.values ?? [:]
    }

    // MARK: Corrections

    private func change(_ correction: SyncCorrection, _ subjects: CorrectionSubjects) throws -> LocalChange {
        guard let object = subjects.objects[correction.identity],
            let entity = subjects.entities[correction.identity].flatMap({ subjects.mapping.entity(named: $0) })
        else { throw CorrectionRefusal(reason: "a correction is of an object that is not in the merge") }
        switch correction.kind {
        case .delete: return LocalChange(object, .delete)
        case .set(let values, let relationships):
            return LocalChange(
                object, .update, values: try self.values(values, entity),
                links: try links(relationships, entity, subjects))
        case .insert(_, let values, let relationships):
            return LocalChange(
                object, .insert(entity: entity.name), values: try self.values(values, entity),
                links: try links(relationships, entity, subjects))
        }
    }

    private func values(_ given: [String: Any?], _ entity: EntityMapping) throws -> [String: SyncValue] {
        var values: [String: SyncValue] = [:]
        for (name, value) in given {
            let subject = "'\(entity.name).\(name)'"
            guard let attribute = entity.attributesByName[name] else {
                throw CorrectionRefusal(reason: "a correction is of \(subject), which is not a synced attribute")
            }
            guard let value = ValueConversion.syncValue(of: value, attribute.kind) else {
                throw CorrectionRefusal(reason: "a correction gives \(subject) a value of another type")
            }
            values[name] = value
        }
        return values
    }

    private func links(
        _ relationships: [String: [String]], _ entity: EntityMapping, _ subjects: CorrectionSubjects
    ) throws -> [String: [LocalObject]] {
        var links: [String: [LocalObject]] = [:]
        for (name, targets) in relationships {
            guard entity.ends.contains(where: { $0.name == name }) else {
                throw CorrectionRefusal(
                    reason: "a correction is of '\(entity.name).\(name)', of which merges do not have the objects")
            }
            links[name] = try targets.map { target in
                guard let known = subjects.objects[target] else {
                    throw CorrectionRefusal(reason: "a correction names an object that is not in the merge")
                }
                return known
            }
        }
        return links
    }
}
