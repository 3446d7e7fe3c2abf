import CoreDataGraph
import CoreDataStore
import CoreDataSync

extension SyncSession {
    /// Why an attribute of an object has its value: who wrote what and when, and which rule chose.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of an object that is saved.
    ///   - attribute: The name of the attribute; of an element of a composite its path.
    /// - Throws: `SyncError` with the code `unknownItem` if the object or the attribute takes no part.
    public func why(_ identifier: NSManagedObjectID, _ attribute: String) async throws -> SyncExplanation {
        let place = try place(of: identifier, attribute)
        return try await reading { transaction, session in
            if case .custom = place.attribute.rule { try session.store.checkFunctions() }
            guard let engine = transaction.engine, let object = try transaction.map.identity(of: place.row) else {
                throw SyncError.unknownObject
            }
            return try Explaining(engine, transaction.storage).explain(object, place.attribute, place.entity)
        }
    }

    /// The attributes of which a value lost, and that were not written since: to a value that was written without knowledge of it, or to a
    /// deletion. The latest come first.
    ///
    /// Takes time with the number of objects that the store has.
    ///
    /// - Parameter limit: How many are listed at most; all are counted.
    /// - Throws: `SyncError` with the code `notJoined` if the store takes no part, and errors of the store.
    public func conflicts(limit: Int = 1_000) async throws -> SyncConflictList {
        let limit = max(0, limit)
        return try await reading { transaction, _ in
            guard let engine = transaction.engine else { throw SyncError.notJoined }
            var count = 0
            var found: [Conflict] = []
            try engine.conflicts(transaction.storage) { conflict in
                count += 1
                found.append(conflict)
                // Some room, so that they are not sorted for each.
                if found.count > 2 * limit + 1_000 { found = Self.latest(found, limit) }
            }
            let listed = try Self.latest(found, limit).map { conflict in
                let place = try conflict.isDeleted ? nil : transaction.map.place(of: conflict.object)
                return SyncConflict(
                    objectID: place.flatMap { transaction.finder.objectID(of: $0) },
                    object: conflict.object.description, entity: conflict.entity.name,
                    attribute: conflict.attribute.name,
                    rule: conflict.isDeleted ? "deletion" : conflict.attribute.rule.name,
                    writes: conflict.candidates.map(Explaining.write))
            }
            return SyncConflictList(conflicts: listed, count: count)
        }
    }

    private static func latest(_ conflicts: [Conflict], _ limit: Int) -> [Conflict] {
        Array(
            conflicts.sorted { left, right in
                if left.time != right.time { return left.time > right.time }
                if left.object != right.object { return left.object < right.object }
                return left.attribute.name < right.attribute.name
            }.prefix(limit))
    }

    /// Where an attribute of an object is kept.
    struct AttributePlace: Sendable {
        let row: IdentityMap.Row
        let attribute: SyncAttribute
        let entity: String
    }

    func place(of identifier: NSManagedObjectID, _ attribute: String) throws -> AttributePlace {
        guard let layout = EntityLayout.known(identifier.entity), let entity = mapping[layout],
            let known = entity.entity.attribute(named: attribute)
        else {
            throw SyncError(
                .unknownItem, "The attribute '\(attribute)' takes no part in sync.",
                cure: "Name a stored attribute of the entity that is not derived.")
        }
        let row = IdentityMap.Row(root: mapping.root(of: layout), key: identifier.key)
        return AttributePlace(row: row, attribute: known, entity: entity.name)
    }
}

extension SyncError {
    static let unknownObject = SyncError(
        .unknownItem, "The object takes no part in sync.", cure: "Save it, and exchange.")
}
