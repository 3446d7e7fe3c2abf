import CSwiftRuntime
import CoreDataModeling

/// A queue whose block is running, and those whose blocks wait for it, up the stack.
///
/// Dispatch knows only the innermost queue of a thread. A block that waits for another queue holds its own all the while,
/// also where the other block runs on another thread, as those of the main queue do: the list goes with the block.
///
/// Invariants:
/// 1. The innermost queue of a thread is set only while its block runs, and the former one afterwards.
/// 2. Whatever is in `outer` waits until this block is done, and so cannot be at work itself.
final class HeldQueue: Sendable {
    private let mark: ObjectIdentifier
    private let outer: HeldQueue?
    /// The context that was asked to run the block, if it was one.
    private let context: NSManagedObjectContext?

    init(_ mark: ObjectIdentifier, within outer: HeldQueue?, for context: NSManagedObjectContext? = nil) {
        self.mark = mark
        self.outer = outer
        self.context = context
    }

    /// The context in whose block the caller is, the innermost where there are several.
    static var currentContext: NSManagedObjectContext? {
        sequence(first: innermost) { $0?.outer }.prefix { $0 != nil }.lazy.compactMap { $0?.context }.first
    }

    /// Whether it is a context that runs the block.
    func isBlock(of context: NSManagedObjectContext) -> Bool { self.context === context }

    /// The innermost queue that the thread holds.
    static var innermost: HeldQueue? {
        coredata_held_queue().map { Unmanaged<HeldQueue>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether a queue is this one or one of those that wait for it.
    func includes(_ mark: ObjectIdentifier) -> Bool {
        var next: HeldQueue? = self
        while let held = next {
            if held.mark == mark { return true }
            next = held.outer
        }
        return false
    }

    /// Runs a block as the innermost of the thread.
    func holding<Result>(_ block: () -> Result) -> Result {
        let former = coredata_exchange_held_queue(Unmanaged.passUnretained(self).toOpaque())
        defer { _ = coredata_exchange_held_queue(former) }
        return withExtendedLifetime(self) { block() }
    }
}
