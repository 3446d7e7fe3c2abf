extension EventRun {
    /// Makes a baseline of the state as it was before the event, one part after the other.
    ///
    /// - Parameters:
    ///   - former: The identity that its receiver had.
    ///   - body: Takes the frame of each part, and the chunks of large values that its objects name.
    func makeBaseline(for former: PeerID?, _ body: BaselineMaker.Body) throws {
        let head = Baseline(
            sender: state.meta.identity, part: 0, partCount: 1, applied: state.meta.applied,
            dependencies: state.meta.dependencies,
            heads: state.meta.heads, formerHeads: try former.map { try loggedHeads(of: $0) } ?? [],
            members: state.meta.members, retired: state.meta.retired, objects: [], links: [])
        try BaselineMaker(state, head).frames(of: configuration.partSize, body)
    }

    /// Whether a baseline has all that is needed: one that was long under way lacks what the log here no longer has.
    func isOfUse(_ baseline: Baseline) -> Bool {
        let identity = state.meta.nextIdentity
        guard baseline.members[identity] != nil, baseline.retired[identity] == nil else { return false }
        return baseline.applied.covers(state.meta.floor) || mayLackFloor(baseline)
    }

    /// Whether a baseline is of use although it lacks what the log here no longer has: this store went on by itself once, which did not
    /// help, since the others have as well what it lacks. It writes once more what its state has of that.
    private func mayLackFloor(_ baseline: Baseline) -> Bool {
        guard let former = state.meta.rebase?.former, state.meta.members[former]?.admission.author == former,
            state.meta.formerIdentities.contains(where: { $0 != former })
        else { return false }
        let lost = state.meta.floor.sorted.filter { !baseline.applied.covers($0) }
        return lost.allSatisfy { baseline.members[$0.author] == nil || baseline.retired[$0.author] != nil }
    }

    /// Takes the state of a peer, and merges into it what this store has and the peer lacks.
    mutating func replace(by baseline: Baseline, _ rebase: SyncMeta.Rebase) throws {
        let identity = state.meta.identity
        guard isOfUse(baseline) else { return }
        var own: [LoggedTransaction] = []
        var first = UInt64.max
        if let former = rebase.former {
            first = try firstRenamed(of: former, rebase.first, baseline)
            own += try ownTransactions(of: former, from: min(baseline.applied[former] + 1, first))
        }
        own += try ownTransactions(of: identity, from: 1)
        let bases = try basesOfLog(baseline)
        let others = try state.logged(beyond: baseline.applied)
            .filter { $0.id.author != identity && $0.id.author != rebase.former }
        let compacted = try compactedHistory(baseline, own.map(\.transaction) + others)
        for transaction in own.map(\.transaction) + others { try state.unlog(transaction.id) }
        try adopt(baseline)
        // What a retired peer wrote is taken from no one but a member, so a member has to write it once more.
        let ofRetired = others.filter { baseline.retired[$0.id.author] != nil }
        for transaction in others where baseline.retired[transaction.id.author] == nil {
            try wait(for: transaction)
        }
        try update(TouchedObjects(placed: Set(try state.allObjects())))
        try applyReady()
        // So does one whose author no one admits: own edits may build on it.
        let admitted = admittedPeers(in: ofRetired + own.map(\.transaction))
        let ofStrangers = others.filter {
            engineValue.waiting[$0.id] != nil && state.meta.members[$0.id.author] == nil
                && !admitted.contains($0.id.author)
        }
        for transaction in ofStrangers { engineValue.waiting[transaction.id] = nil }
        let renaming = Renaming(former: rebase.former, first: first, identity: state.meta.identity.successor)
        let lost = (ofRetired + ofStrangers).map { ($0, bases[$0.id] ?? VersionVector()) }
        let size = configuration.transactionSize
        try writeAgain(try compacted?.transactions(lost + own, size: size) ?? ordered(lost + own), renaming)
        for object in try old.allObjects() { concerned.insert(object) }
        rows = try projector.changes(of: concerned)
        sendGreeting(wantsAnswer: true)
    }

    /// What only the state here has; nil if the baseline has all that the log lacks.
    private func compactedHistory(_ baseline: Baseline, _ logged: [SyncTransaction]) throws -> CompactedHistory? {
        guard !baseline.applied.covers(state.meta.floor) else { return nil }
        return try CompactedHistory(old, lackingIn: baseline, logged: logged)
    }

    private mutating func applyReady() throws {
        guard !engineValue.waiting.isEmpty else { return }
        for transaction in try readyTransactions() {
            let dependencies = state.dependencies(of: transaction)
            try apply(transaction)
            try state.log(transaction, dependencies)
            engineValue.waiting[transaction.id] = nil
        }
    }

    private func admittedPeers(in transactions: [SyncTransaction]) -> Set<PeerID> {
        var admitted: Set<PeerID> = []
        for operation in transactions.flatMap(\.operations) where isCarried(operation) {
            if case .admit(let peer, _) = operation { admitted.insert(peer) }
        }
        return admitted
    }

    private func loggedHeads(of author: PeerID) throws -> [TransactionHead] {
        let first = state.meta.floor[author] + 1
        return try state.loggedIDs(of: author, from: first, through: state.meta.applied[author]).compactMap { id in
            try state.logged(id).map { TransactionHead($0.transaction) }
        }
    }

    /// The first transaction of the former identity that has the name of another one of the baseline; `UInt64.max` if none has.
    ///
    /// - Parameter doubtful: The first that may be so where the baseline does not say.
    private func firstRenamed(of former: PeerID, _ doubtful: UInt64, _ baseline: Baseline) throws -> UInt64 {
        var known = Dictionary(
            baseline.formerHeads.map { ($0.sequence, $0.digest) }, uniquingKeysWith: { first, _ in first })
        if let head = baseline.heads[former] { known[head.sequence] = head.digest }
        for transaction in try ownTransactions(of: former, from: 1).map(\.transaction) {
            let sequence = transaction.id.sequence
            guard sequence <= baseline.applied[former] else { break }
            if let digest = known[sequence] {
                if digest != transaction.digest { return sequence }
            } else if sequence >= doubtful {
                return sequence
            }
        }
        return .max
    }

    func ownTransactions(of author: PeerID, from first: UInt64) throws -> [LoggedTransaction] {
        try state.loggedIDs(of: author, from: first, through: state.meta.applied[author]).compactMap {
            try state.logged($0)
        }
    }

    /// What each transaction of the log that a baseline lacks builds on.
    private func basesOfLog(_ baseline: Baseline) throws -> [TransactionID: VersionVector] {
        var bases: [TransactionID: VersionVector] = [:]
        var known: [PeerID: VersionVector] = baseline.dependencies
        for transaction in try state.logged(beyond: baseline.applied) {
            let id = transaction.id
            var basis = known[id.author] ?? VersionVector()
            for dependency in transaction.dependencies { basis.include(dependency) }
            if id.sequence > 1 { basis.include(TransactionID(id.author, id.sequence - 1)) }
            known[id.author] = basis
            bases[id] = basis
        }
        return bases
    }

    /// Transactions in an order in which each comes after those of the list that it builds on.
    private func ordered(_ transactions: [LoggedTransaction]) throws -> [LoggedTransaction] {
        var applied = state.meta.applied
        let names = Set(transactions.map(\.transaction.id))
        var open = transactions
        var found: [LoggedTransaction] = []
        while !open.isEmpty {
            let count = open.count
            open.removeAll { item in
                let isReady = names.allSatisfy {
                    $0 == item.transaction.id || !item.dependencies.covers($0) || applied.covers($0)
                }
                if isReady {
                    applied.include(item.transaction.id)
                    found.append(item)
                }
                return isReady
            }
            if open.count == count { return found + open }
        }
        return found
    }

    /// What a store knows of itself and others when it takes a baseline.
    func adoptedMeta(_ baseline: Baseline) -> SyncMeta {
        var meta = state.meta
        meta.formerIdentities.insert(meta.identity)
        meta.identity = meta.nextIdentity
        meta.rebase = nil
        meta.applied = baseline.applied
        // The log stays, since others may lack what only this store has in it; where it ends before the baseline it is of no use.
        for last in baseline.applied.sorted where last.sequence > state.meta.applied[last.author] {
            meta.floor.include(last)
        }
        meta.dependencies = baseline.dependencies
        meta.heads = baseline.heads
        meta.members = baseline.members
        meta.retired = baseline.retired
        meta.acknowledged = [baseline.sender: baseline.applied]
        meta.silence = [:]
        meta.lagging = [:]
        meta.missedSince = [:]
        meta.openedAt = 0
        meta.wasMemberHeard = true
        return meta
    }

    private func adopt(_ baseline: Baseline) throws {
        state.meta = adoptedMeta(baseline)
        try state.dropParts()
        state.replaceAll()
        for object in baseline.objects { state.set(object.record, for: object.id) }
        for link in baseline.links { state.set(link.tags, for: link.key) }
        for object in baseline.objects where !object.record.deletions.isEmpty {
            state.set([], for: [StateKey.grave] + state.key(object.id))
        }
    }

    /// Writes own transactions once more, under the new identity and on top of the baseline; what their edits had seen stays as it was.
    ///
    /// - Parameter renaming: Gives other names to transactions whose names others took.
    private mutating func writeAgain(_ transactions: [LoggedTransaction], _ renaming: Renaming) throws {
        for (transaction, dependencies) in transactions {
            let origin = renaming.renamed(transaction.origin)
            guard !state.meta.applied.covers(origin) else { continue }
            let operations = transaction.operations.filter { isCarried($0) }.map { renaming.renamed($0) }
            let seen = renaming.renamed(transaction.carried?.seen ?? dependencies)
            let again = carrying(transaction, as: origin, seen: seen, operations)
            let basis = state.dependencies(of: again)
            try apply(again)
            try state.log(again, basis)
            send([again], to: nil)
            // It may admit the author of others on which the next ones build.
            try applyReady()
            for case .create(let ordinal, _) in operations where transaction.origin != origin {
                forwarded[ObjectIdentity(transaction.origin, ordinal)] = ObjectIdentity(origin, ordinal)
            }
        }
    }
}

extension EventRun {
    /// Writes own transactions once more whose changes are in the state, under the identity that the store has by now.
    mutating func rename(_ transactions: [LoggedTransaction]) throws {
        for (transaction, dependencies) in transactions {
            let operations = transaction.operations.filter { isCarried($0) }
            let again = carrying(
                transaction, as: transaction.origin, seen: transaction.carried?.seen ?? dependencies, operations)
            let basis = state.dependencies(of: again)
            state.note(again)
            try state.log(again, basis)
        }
    }

    private func carrying(
        _ transaction: SyncTransaction, as origin: TransactionID, seen: VersionVector, _ operations: [SyncOperation]
    ) -> SyncTransaction {
        let id = nextID()
        return SyncTransaction(
            id, time: transaction.time, dependencies: ownDependencies(id.author),
            carried: SyncTransaction.Carried(origin, seen: seen), generation: transaction.generation,
            operations: operations, previous: state.meta.heads[id.author]?.digest ?? 0)
    }
}

extension EventRun {
    /// Whether an operation of a carried transaction is kept: the peers that a retired one admitted stay members, those that it retired may go on.
    private func isCarried(_ operation: SyncOperation) -> Bool {
        switch operation {
        case .admit(let peer, _):
            peer != state.meta.identity && !state.meta.formerIdentities.contains(peer)
        case .retire: false
        default: true
        }
    }
}

/// New names for transactions that a restored store wrote under its former identity, of which others have some with equal names.
private struct Renaming {
    let former: PeerID?
    let first: UInt64
    let identity: PeerID

    func renamed(_ id: TransactionID) -> TransactionID {
        id.author == former && id.sequence >= first ? TransactionID(identity, id.sequence) : id
    }

    /// What was seen under the former name is seen under the new one.
    func renamed(_ vector: VersionVector) -> VersionVector {
        var renamed = vector
        if let former, vector[former] >= first { renamed.include(TransactionID(identity, vector[former])) }
        return renamed
    }

    func renamed(_ object: ObjectIdentity) -> ObjectIdentity {
        ObjectIdentity(renamed(object.creation), object.ordinal)
    }

    func renamed(_ position: ListPosition?) -> ListPosition? {
        position.map { position in
            ListPosition(
                steps: position.steps.map {
                    let run = ListPosition.Run(renamed($0.run.transaction), $0.run.number)
                    return ListPosition.Step(isLeft: $0.isLeft, run: run, offset: $0.offset)
                })
        }
    }

    func renamed(_ operation: SyncOperation) -> SyncOperation {
        switch operation {
        case .create, .admit, .retire, .unknown: operation
        case .set(let object, let attribute, let value): .set(renamed(object), attribute, value)
        case .clear(let object, let attribute): .clear(renamed(object), attribute)
        case .count(let object, let attribute, let value, let counted):
            .count(renamed(object), attribute, value, counted: counted)
        case .add(let object, let attribute, let value): .add(renamed(object), attribute, value)
        case .include(let object, let attribute, let value): .include(renamed(object), attribute, value)
        case .exclude(let object, let attribute, let value): .exclude(renamed(object), attribute, value)
        case .delete(let object): .delete(renamed(object))
        case .unite(let one, let other): .unite(renamed(one), renamed(other))
        case .unlink(let relationship, let source, let target):
            .unlink(relationship, source: renamed(source), target: renamed(target))
        case .link(let link):
            .link(
                SyncLink(
                    relationship: link.relationship, source: renamed(link.source), target: renamed(link.target),
                    replacesTargets: link.replacesTargets, replacesSources: link.replacesSources,
                    sourcePosition: renamed(link.sourcePosition), targetPosition: renamed(link.targetPosition)))
        }
    }
}

/// Baselines arrive in parts, which are kept in the state until the last one and the chunks of large values that they name are here.
extension EventRun {
    /// Receives a part of a baseline; the last one leads to what follows.
    mutating func receive(_ part: Baseline, _ frame: [UInt8], _ rebase: SyncMeta.Rebase) throws {
        if part.partCount == 1 {
            guard isOfUse(part), try haveTheirSizes(part.objects.flatMap(\.record.chunks)) else { return }
            let isOnDemand = configuration.isOnDemand
            if try lackingDigests(part.objects.flatMap { $0.record.chunks { !isOnDemand($0) } }).isEmpty {
                engineValue.waiting.lacking.dropBaseline()
                return try replace(by: part, rebase)
            }
        }
        try state.keep(part, frame) { [configuration] in !configuration.isOnDemand($0) }
        markChanged()
        // What waited may be an older baseline, whose parts are gone.
        if engineValue.waiting.lacking.sender == part.sender { engineValue.waiting.lacking.dropBaseline() }
        _ = try take(from: part.sender, rebase)
    }

    /// Takes a baseline that is here with its chunks. After the engine was opened those that are here are looked at once more, and one
    /// that lacks chunks waits for them.
    ///
    /// - Returns: Whether one was taken.
    mutating func takeStaged(_ rebase: SyncMeta.Rebase) throws -> Bool {
        if let sender = engineValue.waiting.lacking.sender {
            return try engineValue.waiting.lacking.isBaselineComplete && take(from: sender, rebase)
        }
        for sender in try state.sendersOfParts() where try take(from: sender, rebase) { return true }
        return false
    }

    /// Takes a baseline if all of it is here, or lets it wait for its chunks.
    ///
    /// - Returns: Whether it was taken.
    private mutating func take(from sender: PeerID, _ rebase: SyncMeta.Rebase) throws -> Bool {
        guard let staged = try state.staged(from: sender), staged.isWhole else { return false }
        let chunks = try state.stagedChunks(staged)
        guard isOfUse(staged.head), try haveTheirSizes(chunks) else {
            if engineValue.waiting.lacking.sender == sender { engineValue.waiting.lacking.dropBaseline() }
            try state.dropParts(from: sender)
            markChanged()
            return false
        }
        let lacking = try lackingDigests(chunks)
        guard lacking.isEmpty else {
            engineValue.waiting.lacking.wait(withBaselineOf: sender, chunks, for: lacking)
            askForChunks()
            return false
        }
        engineValue.waiting.lacking.dropBaseline()
        if configuration.leavesFrames, try BaselineTaking.isPossible(state) {
            calls.append(.take(from: sender))
        } else {
            try replace(by: try state.wholeBaseline(from: sender), rebase)
        }
        return true
    }

    private mutating func haveTheirSizes(_ chunks: [LargeValue.Chunk]) throws -> Bool {
        if try state.haveTheirSizes(chunks) { return true }
        reports.append(.invalidState("a baseline names chunks of other sizes than they have"))
        return false
    }
}
