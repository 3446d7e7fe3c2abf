/// How objects are shown that records and links describe: a function of these alone, the same on all peers with the same model.
///
/// An object goes through these steps, each a function of the one before:
/// 1. It *exists* unless it was deleted; a deletion that the model denies, or that an edit revives, has no effect.
/// 2. It is *viable* unless what it cannot be without does not exist, directly or through others.
/// 3. Viable objects with equal unique values, or that were united, are one *group*; its oldest member is the survivor.
/// 4. A group is *visible* unless it lost a mandatory end to another group.
struct ObjectView {
    let state: SyncState
    let functions: MergeFunctions

    var schema: SyncSchema { state.schema }

    func entity(_ object: ObjectIdentity) throws -> SyncEntity? {
        try state.record(object).flatMap { schema.entities[$0.entity] }
    }

    // MARK: Existence

    /// The objects that transactions united with one, itself among them.
    func united(_ object: ObjectIdentity) throws -> Set<ObjectIdentity> {
        guard let record = try state.record(object) else { return [] }
        guard !record.united.isEmpty else { return [object] }
        var found: Set<ObjectIdentity> = [object]
        var open = [object]
        while let next = open.popLast() {
            for other in try state.record(next)?.united ?? [] where try state.record(other) != nil {
                if found.insert(other).inserted { open.append(other) }
            }
        }
        return found
    }

    /// Whether an object was not deleted, or one is reached over objects that deny its deletion which was not.
    func exists(_ object: ObjectIdentity) throws -> Bool {
        var visited: Set<ObjectIdentity> = []
        var open = [object]
        while let next = open.popLast() {
            guard !visited.contains(next) else { continue }
            let members = try united(next)
            guard !members.isEmpty else { continue }
            guard try isDeleted(members) else { return true }
            visited.formUnion(members)
            for member in members { open += try denying(member) }
        }
        return false
    }

    /// Whether united objects were deleted, and by the rule of their entity stay so.
    private func isDeleted(_ members: Set<ObjectIdentity>) throws -> Bool {
        var deletions: [Deletion] = []
        for member in members { deletions += try state.record(member)?.deletions ?? [] }
        guard !deletions.isEmpty else { return false }
        for member in members.sorted() {
            guard let entity = try entity(member), entity.deletion == .editRevives else { continue }
            let edits = try edits(of: member, entity)
            if edits.contains(where: { edit in !deletions.contains { $0.seen.covers(edit) || $0.transaction == edit } })
            {
                return false
            }
        }
        return true
    }

    /// The transactions whose values and links an object has.
    private func edits(of object: ObjectIdentity, _ entity: SyncEntity) throws -> Set<TransactionID> {
        var found: Set<TransactionID> = []
        for element in try state.record(object)?.writes.elements ?? [] { found.insert(element.write.transaction) }
        for sums in try state.record(object)?.sums.values.map({ $0 }) ?? [] {
            found.formUnion(sums.map { TransactionID($0.key, $0.value.sequence) })
        }
        found.formUnion(try state.record(object)?.removals.sorted ?? [])
        for pair in entity.outgoing {
            for tags in try state.targets(of: object, pair.id).values { found.formUnion(tags.map(\.transaction)) }
        }
        for pair in entity.incoming {
            for source in try state.sources(of: object, pair.id) {
                let key = LinkKey(relationship: pair.id, source: source, target: object)
                found.formUnion(try state.tags(key).map(\.transaction))
            }
        }
        return found
    }

    /// The objects that deny the deletion of one as long as they exist.
    private func denying(_ object: ObjectIdentity) throws -> [ObjectIdentity] {
        guard let entity = try entity(object) else { return [] }
        var found: [ObjectIdentity] = []
        for pair in entity.incoming where pair.target?.deleteRule == .deny {
            found += try state.sources(of: object, pair.id).filter { source in
                let key = LinkKey(relationship: pair.id, source: source, target: object)
                return try state.tags(key).contains(where: \.deniesDeletion)
            }
        }
        for pair in entity.outgoing where pair.source.deleteRule == .deny {
            found += try state.targets(of: object, pair.id).keys
        }
        return found.sorted()
    }

    /// The objects whose deletion one denies, or some more.
    func denied(by object: ObjectIdentity) throws -> [ObjectIdentity] {
        guard let entity = try entity(object) else { return [] }
        var found: [ObjectIdentity] = []
        for pair in entity.outgoing where pair.target?.deleteRule == .deny {
            found += try state.targets(of: object, pair.id).keys
        }
        for pair in entity.incoming where pair.source.deleteRule == .deny {
            found += try state.sources(of: object, pair.id)
        }
        return found.sorted()
    }

    // MARK: Viability

    /// The object without which one cannot be and that does not exist, itself perhaps; nil for a viable object.
    func missing(_ object: ObjectIdentity) throws -> ObjectIdentity? {
        var visited: Set<ObjectIdentity> = []
        var open = [object]
        while let next = open.popLast() {
            guard visited.insert(next).inserted else { continue }
            guard try exists(next) else { return next }
            open += try needed(by: next)
        }
        return nil
    }

    /// The objects without which one is not shown.
    func needed(by object: ObjectIdentity) throws -> [ObjectIdentity] {
        guard let entity = try entity(object) else { return [] }
        var found: [ObjectIdentity] = []
        for pair in entity.outgoing where pair.sourceNeedsTarget {
            if pair.source.isToMany {
                found += try state.targets(of: object, pair.id).keys
            } else if let target = try activeTarget(of: [object], pair) {
                found.append(target.object)
            }
        }
        for pair in entity.incoming where pair.targetNeedsSource && pair.source.deleteRule == .cascade {
            found += try state.sources(of: object, pair.id)
        }
        return found.sorted()
    }

    /// The objects that may not be shown without one.
    func needing(_ object: ObjectIdentity) throws -> Set<ObjectIdentity> {
        guard let entity = try entity(object) else { return [] }
        var found: Set<ObjectIdentity> = []
        for pair in entity.incoming where pair.sourceNeedsTarget {
            found.formUnion(try state.sources(of: object, pair.id))
        }
        for pair in entity.outgoing where pair.targetNeedsSource {
            found.formUnion(try state.targets(of: object, pair.id).keys)
        }
        return found
    }
}
