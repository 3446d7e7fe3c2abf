import CoreDataStore
import Synchronization

/// The right to use a store itself rather than one of its readers; one thread at a time has it, as often as it asks.
///
/// Until two threads have met here, a reader uses the store itself, which costs a program of one thread no second
/// connection. From then on `isContended` says that readers are to be checked out.
final class StoreAccess: Sendable {
    /// How long in seconds one waits before one looks whether the answer is still wanted.
    private static let slice = 0.02

    private let lock = NSRecursiveLock()
    /// How often the thread that holds `lock` has taken it. Used only by that thread.
    private nonisolated(unsafe) var depth = 0
    private let contended = Atomic(false)
    /// What recordings call the store, which they ask at each event; nil until one has asked.
    let recordedName = Mutex<String?>(nil)

    /// Whether two threads have wanted to use the store at once.
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

    /// Runs a block that reads; a cancelled read (`ReadCancellation`) stops waiting within a moment.
    ///
    /// - Throws: `CancellationError` where no caller waits for the answer any more, and what the block throws.
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

    /// Takes the right if that needs no waiting; who gets it calls `leave`.
    ///
    /// `mayBeFree` is false for a caller that wants it only if this thread has it already.
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
