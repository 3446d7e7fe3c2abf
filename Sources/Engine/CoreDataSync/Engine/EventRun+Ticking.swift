extension EventRun {
    /// The greatest time between two ticks that counts as silence: a device that slept, or whose clock leapt, heard nothing for itself.
    private static let greatestStep: UInt64 = 3_600_000

    mutating func tick(spare: PeerID) throws {
        engineValue.spare = engineValue.spare ?? spare
        let passed = min(now > state.meta.lastTick ? now - state.meta.lastTick : 0, Self.greatestStep)
        state.meta.lastTick = now
        try noticeChunks()
        if state.meta.rebase == nil {
            try applyWaiting()
            try countSilence(passed)
            dropRefused()
        } else if let rebase = state.meta.rebase, try takeStaged(rebase) {
            // A greeting follows when it is taken.
            wakeAfter = configuration.greetingInterval
            return
        } else {
            try resume()
        }
        let interval = configuration.greetingInterval
        let last = engineValue.lastGreeting
        if last.map({ now < $0 || now - $0 >= interval }) ?? true {
            engineValue.lastGreeting = now
            sendGreeting(wantsAnswer: true)
            askForChunks()
        }
        wakeAfter = interval
    }

    /// Drops transactions of retired peers that no member has: their authors write them once more under a new identity.
    private mutating func dropRefused() {
        let stable = state.meta.stable
        for author in engineValue.waiting.authors {
            guard let retirement = state.meta.retired[author], stable.covers(retirement) else { continue }
            for transaction in engineValue.waiting.all(of: author) where !engineValue.granted.covers(transaction.id) {
                engineValue.waiting[transaction.id] = nil
            }
        }
    }

    /// Goes on without a baseline if no peer is left that could give one.
    private mutating func resume() throws {
        // A store that never took part has nothing to give.
        guard let rebase = state.meta.rebase, !state.meta.members.isEmpty,
            engineValue.patience.isExhausted(rebase.former ?? state.meta.identity)
        else { return }
        // The first transaction of an author admits it: others refuse what comes before. So what was written while waiting follows that.
        let waiting = state.meta.identity
        let written = try ownTransactions(of: waiting, from: 1)
        state.meta.formerIdentities.insert(waiting)
        state.meta.identity = state.meta.nextIdentity
        state.meta.rebase = nil
        try state.dropParts()
        let retirement = rebase.former.map { [SyncOperation.retire($0)] } ?? []
        for transaction in written.map(\.transaction) { try state.unlog(transaction.id) }
        state.meta.applied.remove(waiting)
        state.meta.dependencies[waiting] = nil
        state.meta.heads[waiting] = nil
        try write([.admit(state.meta.identity, .writer)] + retirement)
        try rename(written)
        markChanged()
        engineValue.waiting.lacking.dropBaseline()
        var others = state.meta.applied
        others.remove(state.meta.identity)
        send(try state.logged(beyond: others), to: nil)
    }

    /// Retires members of which nothing was heard beyond the limit, if more than half of all were heard: who hears few is away itself,
    /// and two halves of a divided group do not retire each other.
    ///
    /// Only members count whose admission all have, so that no half grows by those that it admits.
    private mutating func countSilence(_ passed: UInt64) throws {
        let stable = state.meta.stable
        var silent: [PeerID] = []
        var voters = 0
        var heard = 0
        for (member, details) in state.meta.members.sorted(by: { $0.key < $1.key })
        where state.meta.retired[member] == nil {
            let isVoter = stable.covers(details.admission)
            var isSilent = false
            if member != state.meta.identity {
                let silence = (state.meta.silence[member] ?? 0) + passed
                state.meta.silence[member] = silence
                isSilent = silence > configuration.silenceLimit
            }
            if isSilent { silent.append(member) }
            voters += isVoter ? 1 : 0
            heard += isVoter && !isSilent ? 1 : 0
        }
        guard !silent.isEmpty, heard * 2 > voters, configuration.role == .writer else { return }
        reports += silent.map { .retired($0) }
        try write(silent.map { .retire($0) })
    }

    // MARK: Opening

    mutating func open(_ opening: SyncEngine.Opening) {
        let own = state.meta.applied[state.meta.identity]
        if state.meta.wasMemberHeard {
            state.meta.openedAt = own
            state.meta.wasMemberHeard = false
        }
        let isCopied = state.meta.instance != opening.instance
        let isRestored = opening.highWater.map { $0 > own } ?? false
        if isCopied || isRestored { open(as: opening.spare, isRestored && !isCopied) }
        state.meta.instance = opening.instance
    }

    /// Shows objects by a model that is newer than the state.
    mutating func changeModel() throws {
        let fingerprint = configuration.schema.fingerprint
        guard state.meta.fingerprint != fingerprint else { return }
        state.meta.fingerprint = fingerprint
        try update(TouchedObjects(placed: Set(try state.allObjects())))
        // The store has its rows by the old model; what it has of them by the new one is not known here, so all is written.
        rows = try projector.changes(of: concerned).map { .complete($0, view) }
        rows += try completeRows(except: Set(rows.map(\.object)))
        rows = try withoutUnsent(rows)
    }

    /// Inserts the rows of objects that came into the part of the store, and evicts those that left it.
    mutating func changePart() throws {
        try update(TouchedObjects(placed: Set(try state.allObjects())))
        rows = try projector.changes(of: concerned)
    }

    private func completeRows(except done: Set<ObjectIdentity>) throws -> [RowChange] {
        var all: [RowChange] = []
        for object in concerned.sorted() where !done.contains(object) {
            guard try view.isStored(object), let row = try view.row(object, where: view.isStored) else { continue }
            all.append(.update(row))
        }
        return all
    }

    /// Goes on as another peer when a baseline is here; until then saves are kept.
    private mutating func open(as spare: PeerID, _ isRestored: Bool) {
        engineValue.spare = nil
        let former = state.meta.identity
        take(spare)
        state.meta.rebase = SyncMeta.Rebase(former: isRestored ? former : nil, first: .max)
        reports.append(.waitsForBaseline)
    }

    private mutating func take(_ identity: PeerID) {
        reports.append(.newIdentity(old: state.meta.identity, new: identity))
        state.meta.formerIdentities.insert(state.meta.identity)
        state.meta.identity = identity
    }

    /// Goes on under a new identity, and waits for a baseline.
    ///
    /// - Parameter first: The first own transaction that is written once more although others have one of that number.
    mutating func beginRebase(first: UInt64) {
        // Without a number for a new identity the peer asks again, and is answered alike.
        guard state.meta.rebase == nil, let spare = engineValue.spare else { return }
        engineValue.spare = nil
        state.meta.rebase = SyncMeta.Rebase(former: state.meta.identity, first: first)
        take(spare)
        reports.append(.waitsForBaseline)
    }
}

extension RowChange {
    /// A change with all contents of its row.
    fileprivate static func complete(_ change: RowChange, _ view: ObjectView) -> RowChange {
        guard case .update(let row) = change, let whole = try? view.row(row.id, where: view.isStored) else {
            return change
        }
        return .update(whole)
    }
}
