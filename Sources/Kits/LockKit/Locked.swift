import Foundation

/// A value behind Foundation's lock.
///
/// The thread sanitizer knows this lock, while Swift's `Mutex` is handed over by the kernel where threads meet, which the sanitizer
/// does not see: it would report what is guarded.
///
/// Invariants:
/// 1. `value` is read and changed only while `lock` is held.
package final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: sending Value) { self.value = value }

    /// Calls a block with the value while the lock is held. The block must not call what takes the lock again.
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
