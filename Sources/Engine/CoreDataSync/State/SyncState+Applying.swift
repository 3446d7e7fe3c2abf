extension SyncState {
    /// What a transaction of an author builds on, with what it names itself.
    func dependencies(of transaction: SyncTransaction) -> VersionVector {
        var vector = meta.dependencies[transaction.id.author] ?? VersionVector()
        for dependency in transaction.dependencies { vector.include(dependency) }
        if transaction.id.sequence > 1 {
            vector.include(TransactionID(transaction.id.author, transaction.id.sequence - 1))
        }
        return vector
    }

    /// Applies a transaction whose dependencies were applied.
    ///
    /// - Parameter touched: Gets the objects whose records or links it changed.
    func apply(_ transaction: SyncTransaction, _ touched: inout TouchedObjects) throws {
        let dependencies = dependencies(of: transaction)
        var applying = Applying(
            transaction: transaction, dependencies: dependencies, seen: transaction.carried?.seen ?? dependencies,
            touched: touched)
        touched = TouchedObjects()
        if !meta.applied.covers(transaction.origin) {
            for operation in transaction.operations { try apply(operation, &applying) }
        }
        note(transaction)
        touched = applying.touched
    }

    /// Counts a transaction as applied whose operations are in the state.
    func note(_ transaction: SyncTransaction) {
        let dependencies = dependencies(of: transaction)
        meta.applied.include(transaction.origin)
        let author = transaction.id.author
        meta.dependencies[author] = dependencies
        // What its author wrote next, if it comes as it was, builds on that.
        if let carried = transaction.carried {
            meta.dependencies[carried.id.author, default: VersionVector()].formUnion(carried.seen)
        }
        meta.applied.include(transaction.id)
        meta.heads[author] = TransactionHead(transaction)
        var known = dependencies
        known.include(transaction.id)
        meta.acknowledged[author, default: VersionVector()].formUnion(known)
    }

    /// A transaction on its way into the state.
    struct Applying {
        let transaction: SyncTransaction
        let dependencies: VersionVector
        let seen: VersionVector
        var touched: TouchedObjects

        /// Whether a write stays beside those of the transaction: its author had not seen it.
        func keeps(_ other: TransactionID) -> Bool { other != transaction.origin && !seen.covers(other) }

        func write(_ value: SyncValue, _ counted: [PeerID: SyncValue] = [:]) -> Write {
            Write(transaction.origin, time: transaction.time, value: value, counted: counted)
        }
    }

    private func apply(_ operation: SyncOperation, _ applying: inout Applying) throws {
        switch operation {
        case .create(let ordinal, let entity):
            let object = ObjectIdentity(applying.transaction.origin, ordinal)
            set(ObjectRecord(entity: entity, created: applying.transaction.time), for: object)
            applying.touched.insert(object)
        case .set(let object, let attribute, let value):
            try change(object, &applying, attribute) { record, applying in
                record.writes.replace(
                    attribute, keeping: { applying.keeps($0.transaction) }, with: applying.write(value))
            }
        case .count(let object, let attribute, let value, let counted):
            try change(object, &applying, attribute) { record, applying in
                record.writes.replace(
                    attribute, keeping: { applying.keeps($0.transaction) }, with: applying.write(value, counted))
            }
        case .clear(let object, let attribute):
            try change(object, &applying, attribute) { record, applying in
                record.writes.replace(attribute, keeping: { applying.keeps($0.transaction) }, with: nil)
                record.removals.include(applying.transaction.origin)
            }
        case .add(let object, let attribute, let value):
            try change(object, &applying, attribute) { record, applying in
                let origin = applying.transaction.origin
                let sum = record.sums[attribute]?[origin.author]
                record.sums[attribute, default: [:]][origin.author] = CounterSum(
                    sequence: max(sum?.sequence ?? 0, origin.sequence), value: (sum?.value ?? .null).adding(value))
            }
        case .include(let object, let attribute, let value), .exclude(let object, let attribute, let value):
            try changeSet(object, attribute, value, operation, &applying)
        case .delete(let object): try delete(object, &applying)
        case .unite(let one, let other): try unite(one, other, &applying)
        case .link(let link): try add(link, &applying)
        case .unlink(let relationship, let source, let target):
            guard try acceptsChange(source, applying) else { return }
            try removeSeen(LinkKey(relationship: relationship, source: source, target: target), &applying)
            for end in [source, target] {
                try change(end, &applying) { record, applying in record.removals.include(applying.transaction.origin) }
            }
        case .admit(let peer, let role):
            let known = meta.members[peer] ?? Member(role: role, admission: applying.transaction.id)
            meta.members[peer] = Member(
                role: known.role.rawValue < role.rawValue ? known.role : role, admission: known.admission)
        case .retire(let peer): meta.retired[peer] = meta.retired[peer] ?? applying.transaction.id
        case .unknown: break
        }
    }

    /// Whether a change of an object is kept: the object is known, and was not deleted in sight of a peer that wrote old edits once more.
    private func acceptsChange(_ object: ObjectIdentity, _ applying: Applying) throws -> Bool {
        guard let record = try record(object) else { return false }
        guard applying.transaction.carried != nil else { return true }
        return !record.deletions.contains { applying.dependencies.covers($0.transaction) }
    }

    /// Whether a new link may bring its target back: one in old edits that were written once more does not if the target was deleted in
    /// sight of their author, since others may have forgotten it.
    private func deniesDeletion(of target: ObjectIdentity, _ applying: Applying) throws -> Bool {
        guard applying.transaction.carried != nil else { return true }
        return try acceptsChange(target, applying)
    }

    /// - Parameter attribute: The attribute whose value changes; nil if it is something else.
    private func change(
        _ object: ObjectIdentity, _ applying: inout Applying, _ attribute: SchemaID? = nil,
        _ body: (inout ObjectRecord, Applying) -> Void
    ) throws {
        guard try acceptsChange(object, applying) else { return }
        try update(object) { body(&$0, applying) }
        if let attribute, let record = try record(object), isPlain(attribute, of: record) {
            applying.touched.insert(object, attribute)
        } else {
            applying.touched.insert(object)
        }
    }

    /// Whether nothing but a row's value follows from that of an attribute: no unique constraint has it, and there is no deletion that
    /// an edit could revoke.
    private func isPlain(_ attribute: SchemaID, of record: ObjectRecord) -> Bool {
        guard record.derived.survivor != nil, record.deletions.isEmpty, record.united.isEmpty,
            let entity = schema.entities[record.entity]
        else { return false }
        return !entity.keyUnits.contains { $0.contains(attribute) }
    }

    private func changeSet(
        _ object: ObjectIdentity, _ attribute: SchemaID, _ value: SyncValue, _ operation: SyncOperation,
        _ applying: inout Applying
    ) throws {
        try change(object, &applying, attribute) { record, applying in
            let isIncluded = if case .include = operation { true } else { false }
            record.writes.replace(
                attribute, keeping: { $0.value != value || applying.keeps($0.transaction) },
                with: isIncluded ? applying.write(value) : nil)
            if !isIncluded { record.removals.include(applying.transaction.origin) }
        }
    }

    private func delete(_ object: ObjectIdentity, _ applying: inout Applying) throws {
        try change(object, &applying) { record, applying in
            let deletion = Deletion(
                transaction: applying.transaction.origin, time: applying.transaction.time, seen: applying.seen)
            record.deletions.append(deletion)
        }
        set([], for: [StateKey.grave] + key(object))
    }

    private func unite(_ one: ObjectIdentity, _ other: ObjectIdentity, _ applying: inout Applying) throws {
        guard one != other, try acceptsChange(one, applying), try acceptsChange(other, applying) else { return }
        try change(one, &applying) { record, _ in record.united.insert(other) }
        try change(other, &applying) { record, _ in record.united.insert(one) }
    }

    // MARK: Links

    private func add(_ link: SyncLink, _ applying: inout Applying) throws {
        guard try acceptsChange(link.source, applying) else { return }
        if link.replacesTargets {
            for target in try targets(of: link.source, link.relationship).keys.sorted() {
                try removeSeen(
                    LinkKey(relationship: link.relationship, source: link.source, target: target), &applying)
            }
        }
        if link.replacesSources {
            for source in try sources(of: link.target, link.relationship).sorted() {
                try removeSeen(
                    LinkKey(relationship: link.relationship, source: source, target: link.target), &applying)
            }
        }
        let key = LinkKey(relationship: link.relationship, source: link.source, target: link.target)
        try removeSeen(key, &applying)
        let tag = LinkTag(
            transaction: applying.transaction.origin, time: applying.transaction.time,
            sourcePosition: link.sourcePosition, targetPosition: link.targetPosition,
            deniesDeletion: try deniesDeletion(of: link.target, applying))
        set(try tags(key) + [tag], for: key)
        applying.touched.insert(link.source)
        applying.touched.insert(link.target)
    }

    private func removeSeen(_ key: LinkKey, _ applying: inout Applying) throws {
        let tags = try tags(key)
        let kept = tags.filter { applying.keeps($0.transaction) }
        guard kept.count < tags.count else { return }
        set(kept, for: key)
        applying.touched.insert(key.source)
        applying.touched.insert(key.target)
    }
}
