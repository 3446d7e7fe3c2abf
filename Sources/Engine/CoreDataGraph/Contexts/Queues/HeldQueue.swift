import CSwiftRuntime
import CoreDataStore

/// A queue whose block is running, and those whose blocks wait for it, up the stack.
///
/// Dispatch knows only the innermost queue of a thread. A block that waits for another queue holds its own all the while,
/// also where the other block runs on another thread, as those of the main queue do: the list is released with the block.
///
/// Invariants:
/// 1. The innermost queue of a thread is set only while its block runs, and the former one afterwards.
/// 2. Whatever is in `outer` and `server` waits until this block is done, and so cannot be at work itself.
final class HeldQueue: Sendable {
    /// How the block of `outer` waits for the block of this queue.
    enum Kind {
        /// By `performAndWait`: others may use the outer queue meanwhile.
        case call
        /// In the middle of the library's own work on the outer queue.
        case question
    }

    let mark: ObjectIdentifier
    let outer: HeldQueue?
    private let kind: Kind
    /// What the thread holds that runs the block while it waits for another one; see `WaitGraph`.
    private let server: HeldQueue?
    /// The context that was called to run the block; nil for other callers.
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

    /// Whether it is a block of this owner.
    func isBlock(of owner: AnyObject) -> Bool { self.owner === owner }

    /// The innermost queue that the thread holds.
    static var innermost: HeldQueue? {
        coredata_held_queue().map { Unmanaged<HeldQueue>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether a queue is this one or one of those that wait for it.
    func includes(_ mark: ObjectIdentifier) -> Bool { find(mark, .call) != nil }

    /// Whether a queue is one of those that wait for this one, and may be used meanwhile.
    func lends(_ mark: ObjectIdentifier) -> Bool {
        outer?.find(mark, kind) == .call || server?.find(mark, .call) == .call
    }

    /// How a queue in the list waits for the next inner one; nil where the queue is not in the list.
    private func find(_ mark: ObjectIdentifier, _ innermost: Kind) -> Kind? {
        var (next, kind): (HeldQueue?, Kind) = (self, innermost)
        while let held = next {
            if held.mark == mark { return kind }
            if let found = held.server?.find(mark, .call) { return found }
            (next, kind) = (held.outer, held.kind)
        }
        return nil
    }

    /// Runs a block as the innermost of the thread.
    func holding<Result>(_ block: () -> Result) -> Result {
        let former = coredata_exchange_held_queue(Unmanaged.passUnretained(self).toOpaque())
        defer { _ = coredata_exchange_held_queue(former) }
        return withExtendedLifetime(self) { block() }
    }

    /// The same queue and those that wait for it, for a block that runs on the thread of another.
    func served(by server: HeldQueue?) -> HeldQueue {
        HeldQueue(mark, within: outer, kind, servedBy: server, for: owner)
    }
}
