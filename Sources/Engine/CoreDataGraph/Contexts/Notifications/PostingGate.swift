import CoreDataStore
import Synchronization

/// Keeps threads that post notifications from queueing for the lock of the notification center.
///
/// That lock is held for a moment, but who finds it taken is handed it by the kernel, one thread after the other: once several wait,
/// each post of all of them takes two switches of threads. With sixteen writers that was half of the time of a save. So who finds
/// another thread posting lets others run, and posts a little later. It only delays: who has waited in vain for one and the same
/// thread, as when an observer takes long, waits for another thread, or posts itself, goes on without.
struct PostingGate: ~Copyable {
    /// How often a thread lets others run while the same one posts.
    static let patience = 16

    /// Odd while a thread posts; incremented at each beginning and end.
    private let turns = Atomic<UInt>(0)

    /// Runs a block that posts; alone, unless that would take long.
    ///
    /// - Parameter letOthersRun: called again and again while another thread posts.
    borrowing func passing(_ post: () -> Void, letOthersRun: () -> Void = { _ = sched_yield() }) {
        var (seen, waits) = (turns.load(ordering: .relaxed), 0)
        while waits < Self.patience {
            if seen & 1 == 0 {
                let exchange = turns.compareExchange(expected: seen, desired: seen &+ 1, ordering: .acquiring)
                if exchange.exchanged {
                    defer { turns.wrappingAdd(1, ordering: .releasing) }
                    return post()
                }
                seen = exchange.original
            } else {
                letOthersRun()
                let now = turns.load(ordering: .relaxed)
                waits = now == seen ? waits + 1 : 0
                seen = now
            }
        }
        post()
    }
}
