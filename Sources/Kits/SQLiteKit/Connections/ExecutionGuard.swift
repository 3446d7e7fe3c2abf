/// Measures the cost of the running execution; called by SQLite's progress handler.
final class ExecutionGuard {
    let limit: ExecutionLimit
    private var spent = 0
    private var deadline: ContinuousClock.Instant?
    /// Which limit stopped the last execution; nil if none did.
    private(set) var verdict: String?

    static let interval: Int32 = 1_000

    init(_ limit: ExecutionLimit) { self.limit = limit }

    /// Resets the counters at the start of an execution.
    func restart() {
        spent = 0
        verdict = nil
        deadline = limit.duration.map { ContinuousClock.now + $0 }
    }

    /// Whether the execution has exceeded a limit.
    func mustStop() -> Bool {
        spent += Int(Self.interval)
        if let instructions = limit.instructions, spent > instructions {
            verdict = "the limit of \(instructions) instructions was reached"
        } else if let deadline, ContinuousClock.now > deadline {
            verdict = "the time limit was reached"
        }
        return verdict != nil
    }
}
