import CSwiftRuntime
import CoreDataModeling
import Synchronization

/// Lets go of what a dying object holds of others without a recursion as deep as the chain that they form.
///
/// Down to `greatestDepth` one end runs inside the other. What lies deeper waits in `waiting`, and the outermost end of
/// the thread, or of another that comes first, lets go of it.
enum ReleaseChain {
    private static let greatestDepth: Int32 = 100
    private static let waiting = Mutex<[Transferred<WorkingValues>]>([])

    static func release(_ values: inout WorkingValues?) {
        let depth = coredata_change_release_depth(1)
        defer { _ = coredata_change_release_depth(-1) }
        if depth > greatestDepth, let held = values {
            let transferred = Transferred(held)
            waiting.withLock { $0.append(transferred) }
        }
        values = nil
        guard depth == 1 else { return }
        while let next = waiting.withLock({ $0.popLast() }) { withExtendedLifetime(next) {} }
    }
}
