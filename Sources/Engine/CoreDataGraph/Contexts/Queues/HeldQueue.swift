import CSwiftRuntime
import CoreDataStore

/// A queue whose block is running on a thread, linked to the queues whose blocks wait for that block.
///
/// Dispatch knows only the innermost queue of a thread. A block that waits for another queue keeps its own during that
/// time, even if the other block runs on another thread, such as the main one. The list is released with the block.
///
/// Invariants:
/// 1. The innermost queue of a thread is set only while its block runs; afterwards the former one is set again.
/// 2. The blocks of `outer` and `server` wait until this block has ended, and so cannot run at the same time.
final class HeldQueue: Sendable {
    /// How the block of `outer` waits for the block of this queue.
    enum Kind {
        /// With `performAndWait`: others may run blocks on the outer queue meanwhile.
        case call
        /// In the middle of the library's own work on the outer queue, where no other block may run.
        case question
    }

    let mark: ObjectIdentifier
    let outer: HeldQueue?
    private let kind: Kind
    /// The queues held by the thread that runs this block while it waits for its own; see `WaitGraph`.
    private let server: HeldQueue?
    /// The context whose `perform` runs the block; nil for other callers.
    let owner: (any AnyObject & Sendable)?

    init(
        _ mark: ObjectIdentifier, within outer: HeldQueue?, _ kind: Kind = .call, servedBy server: HeldQueue? = nil,
        for owner: (any AnyObject & Sendable)? = nil
    ) {
        self.mark = mark
        self.outer = outer
        self.kind = kind
        self.server = server
        self.owner = owner
    }

    /// Whether the block is run by this owner.
    func isBlock(of owner: AnyObject) -> Bool { self.owner === owner }

    /// The innermost queue that the current thread holds.
    static var innermost: HeldQueue? {
        coredata_held_queue().map { Unmanaged<HeldQueue>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether a queue is this one or one of those whose blocks wait for it.
    func includes(_ mark: ObjectIdentifier) -> Bool { find(mark, .call) != nil }

    /// Whether a queue's block waits for this one with `performAndWait`, so that others may run blocks on it meanwhile.
    func lends(_ mark: ObjectIdentifier) -> Bool {
        outer?.find(mark, kind) == .call || server?.find(mark, .call) == .call
    }

    /// How a queue in the list waits for the next inner one; nil for a queue that is not in the list.
    private func find(_ mark: ObjectIdentifier, _ innermost: Kind) -> Kind? {
        var (next, kind): (HeldQueue?, Kind) = (self, innermost)
        while let held = next {
            if held.mark == mark { return kind }
            if let found = held.server?.find(mark, .call) { return found }
            (next, kind) = (held.outer, held.kind)
        }
        return nil
    }

    /// Runs a block with this queue as the innermost one of the thread.
    func holding<Result>(_ block: () -> Result) -> Result {
        let former = coredata_exchange_held_queue(Unmanaged.passUnretained(self).toOpaque())
        defer { _ = coredata_exchange_held_queue(former) }
        return withExtendedLifetime(self) { block() }
    }

    /// The same queue, for a block that runs on a thread which holds the queues of `server`.
    func served(by server: HeldQueue?) -> HeldQueue {
        HeldQueue(mark, within: outer, kind, servedBy: server, for: owner)
    }
}
