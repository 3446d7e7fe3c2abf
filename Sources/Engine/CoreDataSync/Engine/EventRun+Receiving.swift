extension EventRun {
    /// How many transactions are tried one by one in one event after the program refused them together.
    private static let greatestSingleCount = 200

    mutating func receive(_ bytes: [UInt8]) throws {
        let frame: DecodedFrame
        do {
            frame = try DecodedFrame(bytes)
        } catch let error as FormatError {
            return reports.append(.refusedBytes(error))
        }
        try receive(frame)
    }

    mutating func receive(_ frame: DecodedFrame) throws {
        guard checkPeers(frame.peers) else { return reports.append(.refusedBytes(FormatError(.tooManyPeers, at: 0))) }
        switch frame.message {
        case .transactions(let transactions):
            if state.meta.rebase == nil { try receive(transactions) }
        case .greeting(let greeting): try receive(greeting)
        case .baseline(let part):
            if let rebase = state.meta.rebase { try receive(part, frame.bytes, rebase) }
        case .retired(let peer, let sender): if peer == state.meta.nextIdentity { yield(to: sender) }
        case .wantedChunks(let digests): try answer(wanted: digests)
        case .chunk(let content): try receive(chunks: [content])
        }
    }

    /// Whether the state has numbers for peers, together with those that waiting transactions name.
    private mutating func checkPeers(_ peers: [PeerID]) -> Bool {
        var named = engineValue.waiting.isEmpty ? [] : engineValue.namedByWaiting
        named.formUnion(peers)
        guard state.meta.peers.hasRoom(for: named) else { return false }
        engineValue.namedByWaiting = named
        return true
    }

    // MARK: Transactions

    private mutating func receive(_ transactions: [SyncTransaction]) throws {
        for transaction in transactions where !state.meta.applied.covers(transaction.id) {
            try wait(for: transaction)
        }
        try applyWaiting()
        if transactions.contains(where: { engineValue.waiting.lacking.lacks($0.id) }) { askForChunks() }
        let (count, size) = (configuration.waitingCount, configuration.waitingSize)
        acknowledge()
        if engineValue.waiting.dropFarthest(state.meta.applied, atMost: count, size) { reports.append(.tooManyWaiting) }
    }

    /// Applies what waits and is ready; if the program refuses that as a whole, one transaction after another.
    mutating func applyWaiting() throws {
        let meta = state.meta
        let ready = try readyTransactions()
        guard !ready.isEmpty else { return }
        guard let reason = try merge(ready) else { return settle(ready) }
        try startOver(meta)
        dropMessages()
        guard ready.count > 1 else { return reports.append(.refusedByProgram(ready.map(\.id), reason)) }
        try applySingly(ready)
    }

    /// Applies those that the program accepts, each after the ones before.
    private mutating func applySingly(_ ready: [SyncTransaction]) throws {
        let meta = state.meta
        var accepted: [SyncTransaction] = []
        var applied = meta.applied
        for transaction in ready.prefix(Self.greatestSingleCount) {
            let id = transaction.id
            let isReady =
                applied[id.author] + 1 == id.sequence && transaction.dependencies.allSatisfy { applied.covers($0) }
            guard isReady else { continue }
            try startOver(meta)
            if let reason = try merge(accepted + [transaction]) {
                reports.append(.refusedByProgram([id], reason))
            } else {
                accepted.append(transaction)
                applied.include(id)
                applied.include(transaction.origin)
            }
        }
        try startOver(meta)
        dropMessages()
        if !accepted.isEmpty, try merge(accepted) == nil { return settle(accepted) }
        try startOver(meta)
    }

    private mutating func settle(_ transactions: [SyncTransaction]) {
        for transaction in transactions { engineValue.waiting[transaction.id] = nil }
    }

    /// The waiting transactions that can be applied one after the other.
    mutating func readyTransactions() throws -> [SyncTransaction] {
        engineValue.waiting.drop(state.meta.applied, of: engineValue.waiting.authors)
        var search = ReadySearch(state.meta, needed: engineValue.granted)
        let ready = search.transactions(in: engineValue.waiting) { transaction, search in
            isAllowed(transaction, search.members, search.retired)
        }
        for refusal in search.refusals {
            engineValue.waiting[refusal.id] = nil
            reports.append(refusal.report)
        }
        return ready
    }

    /// Whether an author is a member that may write; the first transaction of all admits its author.
    ///
    /// What a transaction carries was written under an identity that takes part no longer: otherwise it would count transactions of a
    /// member as applied that are not here.
    private func isAllowed(_ transaction: SyncTransaction, _ members: Set<PeerID>, _ retired: Set<PeerID>) -> Bool {
        let author = transaction.id.author
        if let carried = transaction.carried?.id.author, members.contains(carried), !retired.contains(carried) {
            return false
        }
        if state.meta.members[author]?.role == .reader { return false }
        guard (try? state.haveTheirSizes(transaction.chunks)) == true else { return false }
        return members.contains(author) || transaction.operations.contains(.admit(author, .writer))
    }

    // MARK: Greetings

    private mutating func receive(_ greeting: Greeting) throws {
        let sender = greeting.sender
        guard sender != state.meta.identity else { return }
        guard state.meta.rebase == nil else { return engineValue.patience.hear(greeting, floor: state.meta.floor) }
        if state.meta.retired[sender] != nil { return send(.retired(sender, by: state.meta.identity), to: sender) }
        if greeting.applied.isEmpty || greeting.former != nil { return try answerNewcomer(greeting) }
        // A member that was admitted after the store's backup is none here.
        if try isAhead(greeting) { return beginRebase(first: state.meta.openedAt + 1) }
        guard state.meta.members[sender] != nil else {
            // Its admission has not arrived here yet, or it belongs to others.
            if greeting.wantsAnswer { sendGreeting(to: sender, wantsAnswer: false) }
            return
        }
        state.meta.silence[sender] = nil
        engineValue.newcomers.remove(sender)
        if let author = try forkedAuthor(greeting) {
            reports.append(.forked(author))
            return beginRebase(first: .max)
        }
        state.meta.wasMemberHeard = true
        // Without a digest its last ones are some that a member wrote once more.
        for retired in state.meta.retired.keys where greeting.digests[retired] != nil {
            engineValue.granted.include(TransactionID(retired, greeting.applied[retired]))
        }
        try applyWaiting()
        guard !isLeftBehind(greeting) else { return beginRebase(first: .max) }
        engineValue.greeted[sender] = greeting.applied
        acknowledge()
        guard try serve(greeting) else { return }
        if greeting.wantsAnswer { sendGreeting(to: sender, wantsAnswer: false) }
    }

    /// Whether a member has transactions of this peer that this peer has not, or others of their names: it is a restored store.
    private func isAhead(_ greeting: Greeting) throws -> Bool {
        let own = state.meta.identity
        guard greeting.applied[own] <= state.meta.applied[own] else { return true }
        guard let known = try digest(of: TransactionID(own, greeting.applied[own])) else { return false }
        return greeting.digests[own].map { $0 != known } ?? false
    }

    /// An author of whom a member has other transactions than this peer, if it is this peer that begins again for it: the one that has
    /// more of them, or the greater digest.
    private func forkedAuthor(_ greeting: Greeting) throws -> PeerID? {
        for (author, digest) in greeting.digests.sorted(by: { $0.key < $1.key }) where author != greeting.sender {
            let sequence = greeting.applied[author]
            guard let known = try self.digest(of: TransactionID(author, sequence)), known != digest else { continue }
            if state.meta.applied[author] > sequence || known > digest { return author }
        }
        return nil
    }

    /// The digest of an applied transaction; nil if it is not known any more.
    private func digest(of id: TransactionID) throws -> UInt32? {
        if let head = state.meta.heads[id.author], head.sequence == id.sequence { return head.digest }
        guard state.meta.applied.covers(id) else { return nil }
        return try state.logged(TransactionID(id.author, id.sequence + 1))?.transaction.previous
    }

    /// Counts what members said that they have, as far as it is here, once all is here that they had written themselves by then: what they
    /// write from then on has seen it, so that a deletion which all have is met by no edit that has not seen it.
    mutating func acknowledge() {
        for (member, greeted) in engineValue.greeted where state.meta.applied[member] >= greeted[member] {
            engineValue.greeted[member] = nil
            var known = greeted
            known.formIntersection(state.meta.applied)
            state.meta.acknowledged[member, default: VersionVector()].formUnion(known)
        }
    }

    /// Whether this peer lacks for long what is no longer in the log of a member, and gets it from no other.
    ///
    /// A store that was restored is so, since the members believe that it has what it had, and one that took its baseline from a peer
    /// which had been retired, since they do not know it.
    private mutating func isLeftBehind(_ greeting: Greeting) -> Bool {
        guard !state.meta.applied.covers(greeting.floor) else {
            state.meta.missedSince[greeting.sender] = nil
            return false
        }
        let since = state.meta.missedSince[greeting.sender] ?? now
        state.meta.missedSince[greeting.sender] = since
        return now > since && now - since > configuration.lagLimit
    }

    /// Sends a member what it lacks.
    ///
    /// - Returns: Whether it goes on taking part: one that lacks for long what is no longer in the log takes a baseline.
    private mutating func serve(_ greeting: Greeting) throws -> Bool {
        let sender = greeting.sender
        if greeting.applied.covers(state.meta.floor) {
            state.meta.lagging[sender] = nil
            try sendMissing(greeting.applied, to: sender)
            return true
        }
        // A greeting that was sent long ago lacks what its sender has by now.
        if state.meta.acknowledged[sender]?.covers(state.meta.floor) ?? false { return true }
        let since = state.meta.lagging[sender] ?? now
        state.meta.lagging[sender] = since
        guard now > since, now - since > configuration.lagLimit, configuration.role == .writer else { return true }
        try write([.retire(sender)])
        reports.append(.retired(sender))
        send(.retired(sender, by: state.meta.identity), to: sender)
        return false
    }

    private mutating func sendMissing(_ applied: VersionVector, to peer: PeerID) throws {
        guard !applied.covers(state.meta.applied) else { return }
        send(try state.logged(beyond: applied), to: peer)
    }

    mutating func sendGreeting(to peer: PeerID? = nil, wantsAnswer: Bool) {
        send(.greeting(state.meta.greeting(wantsAnswer: wantsAnswer)), to: peer)
    }

    /// Begins again since others retired this peer; of two that retired each other the one with the lesser identity goes on.
    private mutating func yield(to sender: PeerID) {
        if let rebase = state.meta.rebase {
            state.meta.rebase?.attempts = rebase.attempts &+ 1
            return
        }
        let identity = state.meta.identity
        if state.meta.retired[sender] != nil, state.meta.retired[identity] == nil, identity < sender {
            return send(.retired(sender, by: identity), to: sender)
        }
        beginRebase(first: .max)
    }

    /// Admits a peer that has nothing yet, or has to begin again, and gives it a baseline.
    private mutating func answerNewcomer(_ greeting: Greeting) throws {
        engineValue.newcomers.insert(greeting.sender)
        var operations: [SyncOperation] = []
        if let former = greeting.former, state.meta.members[former] != nil {
            guard let retirement = state.meta.retired[former] else {
                return try write([.retire(former)])
            }
            // Members that do not know of it yet may still accept what the former identity wrote, but for those that wait as well.
            guard state.meta.stable(without: engineValue.newcomers).covers(retirement) else { return }
        }
        if state.meta.members[greeting.sender] == nil { operations.append(.admit(greeting.sender, .writer)) }
        if !operations.isEmpty { try write(operations) }
        guard !configuration.leavesFrames else {
            return calls.append(.give(to: greeting.sender, former: greeting.former))
        }
        var frames: [[UInt8]] = []
        try makeBaseline(for: greeting.former) { frame, _ in frames.append(frame) }
        for frame in frames { send(frame, to: greeting.sender) }
    }
}
