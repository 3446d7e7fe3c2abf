extension EventRun {
    /// Forgets what all members have: transactions of the log, and deleted objects; and chunks that nothing has named for a time.
    mutating func compact() throws {
        guard state.meta.rebase == nil else { return }
        let stable = try state.forgettable(at: now, silenceLimit: configuration.silenceLimit)
        for last in stable.sorted {
            let first = state.meta.floor[last.author] + 1
            for id in try state.loggedIDs(of: last.author, from: first, through: last.sequence) {
                try state.unlog(id)
            }
        }
        state.meta.floor.formUnion(stable)
        var orphans: Set<ObjectIdentity> = []
        for entry in try storage.entries(withPrefix: [StateKey.grave]) {
            try forget(entry.key, stable, &orphans)
        }
        try state.dropIdleChunks(at: now, after: configuration.chunkGrace, keeping: engineValue.awaitedChunks)
        markChanged()
        guard !orphans.isEmpty, configuration.role == .writer else { return }
        try write(orphans.sorted().map { .delete($0) })
    }

    /// Forgets an object whose deletion all members have.
    ///
    /// What is only hidden by that deletion is deleted by its own first, so that all peers forget it by the same rule.
    private mutating func forget(
        _ key: [UInt8], _ stable: VersionVector, _ orphans: inout Set<ObjectIdentity>
    ) throws {
        guard let object = try? state.object(inKey: key), let record = try state.record(object) else {
            return state.set(nil, for: key)
        }
        guard let missing = try view.missing(object) else {
            if record.deletions.isEmpty { state.set(nil, for: key) }
            return
        }
        let united = try view.united(object)
        for cause in try view.united(missing).union(united) {
            guard try isStable(cause, stable) else { return }
        }
        let undeleted = try united.filter { try state.record($0)?.deletions.isEmpty ?? false }
        guard undeleted.isEmpty else { return orphans.formUnion(undeleted) }
        for member in united {
            if let record = try state.record(member) { try erase(member, record) }
            state.set(nil, for: [StateKey.grave] + state.key(member))
        }
    }

    private func isStable(_ object: ObjectIdentity, _ stable: VersionVector) throws -> Bool {
        try state.record(object)?.deletions.allSatisfy { stable.covers($0.transaction) } ?? true
    }

    private mutating func erase(_ object: ObjectIdentity, _ record: ObjectRecord) throws {
        for pair in state.schema.relationships.values {
            for target in try state.targets(of: object, pair.id).keys {
                state.set([], for: LinkKey(relationship: pair.id, source: object, target: target))
            }
            guard pair.source.isToMany, !pair.sourceNeedsTarget else { continue }
            for source in try state.sources(of: object, pair.id) {
                state.set([], for: LinkKey(relationship: pair.id, source: source, target: object))
            }
        }
        for key in record.derived.keys { try state.setClaim(key, of: object, to: false) }
        state.set(nil, for: object)
    }
}
