import CoreDataStore
import Synchronization

/// A recursive lock on a store itself, as opposed to its readers.
///
/// Until two threads have wanted the store at the same time, reads use the store itself, so that a program with one
/// thread needs no second connection. From then on `isContended` is true, and reads use the store's readers.
final class StoreAccess: Sendable {
    /// How long in seconds a thread waits before it checks whether the answer is still needed.
    private static let slice = 0.02

    private let lock = NSRecursiveLock()
    /// The number of acquisitions by the thread that has `lock`. Used only by that thread.
    private nonisolated(unsafe) var depth = 0
    private let contended = Atomic(false)
    /// The name of the store in instrument recordings, cached since each event uses it; nil until its first use.
    let recordedName = Mutex<String?>(nil)

    /// Whether two threads have wanted the store at the same time.
    var isContended: Bool { contended.load(ordering: .relaxed) }

    func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        if !lock.try() {
            contended.store(true, ordering: .relaxed)
            lock.lock()
        }
        depth += 1
        defer { leave() }
        return try body()
    }

    /// Runs a block that reads while this thread has the lock; a cancelled read (`ReadCancellation`) stops waiting
    /// shortly after the cancellation.
    ///
    /// - Throws: `CancellationError` if the read was cancelled while waiting, and what the block throws.
    func withLockForReading<Result>(_ body: () throws -> Result) throws -> Result {
        if !take() {
            let cancellation = ReadCancellation.current
            while !lock.lock(before: Date(timeIntervalSinceNow: Self.slice)) {
                if cancellation?.isCancelled == true { throw CancellationError() }
            }
            depth += 1
        }
        defer { leave() }
        return try body()
    }

    /// Acquires the lock if that needs no waiting; if it returns true, the caller must call `leave`.
    ///
    /// With `mayBeFree` false, acquires it only if this thread has it already.
    func take(mayBeFree: Bool = true) -> Bool {
        guard lock.try() else {
            contended.store(true, ordering: .relaxed)
            return false
        }
        guard mayBeFree || depth > 0 else {
            lock.unlock()
            return false
        }
        depth += 1
        return true
    }

    func leave() {
        depth -= 1
        lock.unlock()
    }
}
