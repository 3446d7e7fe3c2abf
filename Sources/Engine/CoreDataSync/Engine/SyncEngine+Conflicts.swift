/// An attribute of which a value lost that no later one replaced.
package struct Conflict: Sendable {
    /// The object as it is shown, or one that was deleted.
    package let object: ObjectIdentity
    package let entity: SyncEntity
    package let attribute: SyncAttribute
    /// The values, the earliest first.
    package let candidates: [Explanation.Candidate]
    /// Whether the object was deleted by who had not seen the values.
    package let isDeleted: Bool

    /// The time of the latest of the values.
    package var time: HybridTime { candidates.last?.write.time ?? .zero }
}

extension SyncEngine {
    /// Looks through all objects for attributes with values that lost: to other values, or to a deletion that had not seen them.
    ///
    /// Values of counters and sets are all shown. Two equal values are no conflict.
    package func conflicts(_ storage: any SyncStorage, found: (Conflict) throws -> Void) throws {
        let state = SyncState(storage, configuration.schema, meta)
        for object in try state.allObjects() {
            guard let record = try state.record(object), let entity = configuration.schema.entities[record.entity]
            else { continue }
            if record.derived.isVisible {
                try conflicts(of: object, record, entity, storage, state, found: found)
            } else if !record.deletions.isEmpty {
                try lostEdits(of: object, record, entity, found: found)
            }
        }
    }

    private func conflicts(
        of object: ObjectIdentity, _ record: ObjectRecord, _ entity: SyncEntity, _ storage: any SyncStorage,
        _ state: SyncState, found: (Conflict) throws -> Void
    ) throws {
        for attribute in entity.attributes where attribute.rule != .set && attribute.rule != .counter {
            let count = try record.derived.members.reduce(0) {
                $0 + (try state.record($1)?.writes[attribute.id].count ?? 0)
            }
            guard count > 1, hasRule(attribute), let explanation = try why(object, attribute.name, storage) else {
                continue
            }
            guard explanation.candidates.contains(where: { !$0.isShown && $0.write.value != explanation.value }) else {
                continue
            }
            try found(
                Conflict(
                    object: object, entity: entity, attribute: attribute, candidates: explanation.candidates,
                    isDeleted: false))
        }
    }

    /// Whether the function of a custom rule is known: otherwise it is not known which value it chose.
    private func hasRule(_ attribute: SyncAttribute) -> Bool {
        guard case .custom(let name) = attribute.rule else { return true }
        return configuration.functions[name] != nil
    }

    /// What was written to an object by who did not know that it was deleted.
    private func lostEdits(
        of object: ObjectIdentity, _ record: ObjectRecord, _ entity: SyncEntity, found: (Conflict) throws -> Void
    ) throws {
        for attribute in entity.attributes {
            let lost = record.writes[attribute.id].map(\.write).filter { write in
                !record.deletions.contains { $0.seen.covers(write.transaction) || $0.transaction == write.transaction }
            }
            guard !lost.isEmpty else { continue }
            let candidates = lost.map { Explanation.Candidate(write: $0, object: object, isShown: false) }
            try found(
                Conflict(object: object, entity: entity, attribute: attribute, candidates: candidates, isDeleted: true))
        }
    }
}
