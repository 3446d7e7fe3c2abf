import CoreDataStore
import Synchronization

/// Keeps threads that post notifications from queueing for the lock of the notification center.
///
/// That lock is held only briefly, but the kernel hands a contended lock to one thread after the other: once several threads wait,
/// each post takes two thread switches. With sixteen writers that was half of the time of a save. So a thread that finds
/// another thread posting yields, and posts a little later. This only delays: a thread that has waited in vain for the same
/// thread, as when an observer takes long, waits for another thread, or posts itself, posts without waiting further.
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
