extension SyncEngine {
    /// Makes the baseline that ``SyncEffect/give(to:former:)`` asks for, one part after the other.
    ///
    /// - Parameter body: Takes the frame of each part, and the chunks of large values that its objects name.
    /// - Throws: What the storage and the closure throw.
    package func makeBaseline(
        former: PeerID?, _ storage: any SyncStorage, _ body: ([UInt8], [LargeValue.Chunk]) throws -> Void
    ) throws {
        try EventRun(self, storage, at: meta.lastTick).makeBaseline(for: former, body)
    }

    /// Takes the baseline that ``SyncEffect/take(from:)`` says is here, in several plans.
    ///
    /// - Parameters:
    ///   - now: The time, in milliseconds since 1970.
    ///   - commit: Writes a plan. The storage has what was written when the closure returns, and all plans are committed together.
    /// - Returns: What is to be done when they are written.
    /// - Throws: What the storage and the closure throw; the engine must not be used further then.
    package mutating func takeBaseline(
        from sender: PeerID, _ storage: any SyncStorage, at now: UInt64, _ commit: (SyncPlan) throws -> Void
    ) throws -> [SyncEffect] {
        var run = EventRun(self, storage, at: now)
        guard let head = try run.state.staged(from: sender)?.head else { throw FormatError(.truncated, at: 0) }
        var taking = BaselineTaking(configuration, storage, run.adoptedMeta(head), at: now)
        try taking.take(from: sender, commit)
        meta = taking.meta
        run = EventRun(self, storage, at: now)
        run.sendGreeting(wantsAnswer: true)
        let effects = try run.finish()
        self = run.engine
        return effects
    }
}
