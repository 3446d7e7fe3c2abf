import CSwiftRuntime
import CoreDataStore

/// Releases the objects that a deallocated object references, without a recursion as deep as the chain of references.
///
/// Releases are nested down to `greatestDepth`. Deeper releases are put off, and the outermost release on the same
/// thread performs them before it returns: the entire chain is deallocated when its last reference is released.
enum ReleaseChain {
    private static let greatestDepth: Int32 = 100

    /// The releases that one thread has put off.
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

    /// Takes the thread's list of releases; the thread has no list afterwards.
    private static func taken() -> Waiting? {
        coredata_exchange_waiting(nil).map { Unmanaged<Waiting>.fromOpaque($0).takeRetainedValue() }
    }
}
