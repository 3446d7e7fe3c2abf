import Foundation

/// A value behind Foundation's lock, which the thread sanitizer knows.
///
/// Invariants:
/// 1. `value` is read and changed only while `lock` is held.
final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: sending Value) { self.value = value }

    /// Calls a block with the value while the lock is held. The block must not call what takes the lock again.
    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
