import CSwiftRuntime
import CoreDataStore

/// Releases what a dying object holds of others without a recursion as deep as the chain that they form.
///
/// Down to `greatestDepth` one end runs inside the other. What lies deeper waits, and the outermost end of the same
/// thread releases it before it returns: so the whole chain is gone when its last holder has released it.
enum ReleaseChain {
    private static let greatestDepth: Int32 = 100

    /// What one thread has put off.
    private final class Waiting {
        var values: [AnyObject] = []
    }

    static func release<Values: AnyObject>(_ values: inout Values?) {
        let depth = coredata_change_release_depth(1)
        defer { _ = coredata_change_release_depth(-1) }
        if depth > greatestDepth, let held = values { putOff(held) }
        values = nil
        guard depth == 1 else { return }
        while let list = taken() {
            while let next = list.values.popLast() { withExtendedLifetime(next) {} }
        }
    }

    private static func putOff(_ values: AnyObject) {
        let list = taken() ?? Waiting()
        list.values.append(values)
        _ = coredata_exchange_waiting(Unmanaged.passRetained(list).toOpaque())
    }

    /// The thread's list, which is then no longer the thread's.
    private static func taken() -> Waiting? {
        coredata_exchange_waiting(nil).map { Unmanaged<Waiting>.fromOpaque($0).takeRetainedValue() }
    }
}
