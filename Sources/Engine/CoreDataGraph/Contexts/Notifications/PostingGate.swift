import CoreDataStore
import Synchronization

/// Keeps threads that post notifications from contending for the lock of the notification center.
///
/// Each post has the lock only briefly, but the kernel passes a contended lock from thread to thread: once several
/// threads wait, each post takes two thread switches. With sixteen writers, that was half of the time of a save. So a
/// thread that finds another one posting yields, and posts a little later. The gate only delays posts: after `patience`
/// yields during the same post, as when an observer takes long or posts itself, the thread posts without waiting
/// further.
struct PostingGate: ~Copyable {
    /// How often a thread yields during the same post of another thread.
    static let patience = 16

    /// Odd while a thread posts; incremented at the beginning and at the end of each post.
    private let turns = Atomic<UInt>(0)

    /// Runs a block that posts, when no other thread posts or after waiting for `patience` turns.
    ///
    /// - Parameter letOthersRun: called repeatedly while another thread posts.
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
