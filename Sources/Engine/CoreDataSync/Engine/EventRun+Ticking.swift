extension EventRun {
    /// The greatest time between two ticks that counts as silence: a device that slept, or whose clock leapt, heard nothing for itself.
    private static let greatestStep: UInt64 = 3_600_000

    mutating func tick() throws {
        let passed = min(now > state.meta.lastTick ? now - state.meta.lastTick : 0, Self.greatestStep)
        state.meta.lastTick = now
        if state.meta.rebase == nil {
            try applyWaiting()
            try countSilence(passed)
        }
        let interval = configuration.greetingInterval
        let last = engineValue.lastGreeting
        if last.map({ now < $0 || now - $0 >= interval }) ?? true {
            engineValue.lastGreeting = now
            sendGreeting(wantsAnswer: true)
        }
        wakeAfter = interval
    }

    private mutating func countSilence(_ passed: UInt64) throws {
        var silent: [SyncOperation] = []
        for member in state.meta.members.keys.sorted() {
            guard member != state.meta.identity, state.meta.retired[member] == nil else { continue }
            let silence = (state.meta.silence[member] ?? 0) + passed
            state.meta.silence[member] = silence
            if silence > configuration.silenceLimit { silent.append(.retire(member)) }
        }
        guard !silent.isEmpty, configuration.role == .writer else { return }
        for case .retire(let peer) in silent { reports.append(.retired(peer)) }
        try write(silent)
    }

    // MARK: Opening

    mutating func open(_ opening: SyncEngine.Opening) throws {
        let own = state.meta.applied[state.meta.identity]
        state.meta.openedAt = own
        let isCopied = state.meta.instance != opening.instance
        let isRestored = opening.highWater.map { $0 > own } ?? false
        if state.meta.rebase == nil, isCopied || isRestored {
            try takeNewIdentity(spare: opening.spare, isRestored)
        }
        state.meta.instance = opening.instance
        let fingerprint = configuration.schema.fingerprint
        guard state.meta.fingerprint != fingerprint else { return }
        state.meta.fingerprint = fingerprint
        try update(Set(try state.allObjects()))
        // The store has its rows by the old model; what it has of them by the new one is not known here, so all is written.
        rows = try projector.changes(of: concerned).map { .complete($0, view) }
        rows += try completeRows(except: Set(rows.map(\.object)))
    }

    private func completeRows(except done: Set<ObjectIdentity>) throws -> [RowChange] {
        var all: [RowChange] = []
        for object in concerned.sorted() where !done.contains(object) {
            guard try view.isStored(object), let row = try view.row(object, where: view.isStored) else { continue }
            all.append(.update(row))
        }
        return all
    }

    /// Goes on as another peer: at once if there are no others, otherwise when a baseline is here.
    private mutating func takeNewIdentity(spare: PeerID, _ isRestored: Bool) throws {
        let former = state.meta.identity
        let hasOthers = state.meta.members.keys.contains { $0 != former && state.meta.retired[$0] == nil }
        guard hasOthers || !isRestored else {
            state.meta.formerIdentities.insert(former)
            state.meta.identity = spare
            reports.append(.newIdentity(old: former, new: spare))
            return try write([.admit(spare, .writer), .retire(former)])
        }
        state.meta.rebase = SyncMeta.Rebase(identity: spare, first: .max, retiresFormer: isRestored)
        reports.append(.waitsForBaseline)
    }

    mutating func beginRebase(first: UInt64) {
        guard state.meta.rebase == nil else { return }
        state.meta.rebase = SyncMeta.Rebase(identity: engineValue.spare, first: first, retiresFormer: true)
        reports.append(.waitsForBaseline)
    }
}

extension RowChange {
    /// A change with all contents of its row.
    fileprivate static func complete(_ change: RowChange, _ view: ObjectView) -> RowChange {
        guard case .update(let row) = change, let whole = try? view.row(row.id, where: view.isStored) else { return change }
        return .update(whole)
    }
}
