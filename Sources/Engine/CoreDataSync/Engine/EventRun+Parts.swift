/// Baselines arrive in parts, which are kept in the state until the last one and the chunks of large values that they name are here.
extension EventRun {
    /// Receives a part of a baseline; the last one leads to what follows.
    mutating func receive(_ part: Baseline, _ frame: [UInt8], _ rebase: SyncMeta.Rebase) throws {
        if part.partCount == 1 {
            guard isOfUse(part), try haveTheirSizes(part.objects.flatMap(\.record.chunks)) else { return }
            if try lackingDigests(part.objects.flatMap(\.record.chunks)).isEmpty {
                engineValue.waiting.lacking.dropBaseline()
                return try replace(by: part, rebase)
            }
        }
        try state.keep(part, frame)
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
