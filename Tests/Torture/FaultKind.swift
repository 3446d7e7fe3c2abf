import CFaultVFS
import WriteScenarios

/// What fails during an operation: calls to the file system, or allocations.
enum FaultKind {
    /// Calls, as bits of `CFaultVFS.h`, return a result code of SQLite: one of them, or all from it on.
    case calls(Int, result: Int32, isLasting: Bool)
    case memory(isLasting: Bool)
    /// A read or write of the system is cut short, which is no failure.
    case interruption(SystemCalls.Interruption)

    /// The kinds of failing calls by name.
    private static let calls: [(name: String, calls: Int, result: Int32)] = [
        ("disk full", FAULT_WRITE, 13), ("write error", FAULT_WRITE, 10 | 3 << 8),
        ("read error", FAULT_READ, 10 | 1 << 8), ("sync error", FAULT_SYNC, 10 | 4 << 8),
        ("truncation error", FAULT_TRUNCATE, 10 | 6 << 8), ("open error", FAULT_OPEN, 14),
        ("lock held", FAULT_LOCK, 5), ("lock error", FAULT_LOCK, 10 | 15 << 8),
        ("shared memory error", FAULT_SHARED_MEMORY, 10 | 21 << 8), ("deletion error", FAULT_DELETE, 10 | 10 << 8),
    ]

    /// Every kind of failing call, once and lasting; but for a lock that is never given back, which each call of an operation
    /// waits for as long as it may.
    static let names =
        calls.flatMap { $0.name == "lock held" ? [$0.name] : [$0.name, "lasting " + $0.name] }
        + ["interrupted call", "short call"]

    static func named(_ name: String) throws -> FaultKind {
        if name == "interrupted call" { return .interruption(.signal) }
        if name == "short call" { return .interruption(.half) }
        let isLasting = name.hasPrefix("lasting ")
        guard let kind = calls.first(where: { (isLasting ? "lasting " : "") + $0.name == name }) else {
            throw Failure("no fault \(name)")
        }
        return .calls(kind.calls, result: kind.result, isLasting: isLasting)
    }

    /// Lets the n-th call or allocation from here on fail.
    func arm(_ number: Int) {
        switch self {
        case .calls(let calls, let result, let isLasting):
            fault_vfs_arm(Int32(calls), Int64(number), result, isLasting ? 1 : 0)
        case .memory(let isLasting): fault_memory_arm(Int64(number), isLasting ? 1 : 0)
        case .interruption(let interruption): SystemCalls.interrupt(at: number, interruption)
        }
    }

    /// Lets all succeed; gives whether one had failed.
    func disarm() -> Bool {
        switch self {
        case .calls: fault_vfs_disarm() != 0
        case .memory: fault_memory_disarm() != 0
        case .interruption: SystemCalls.passAll()
        }
    }
}
