import CoreData
import StoreContract
import TestBasics
import Testing

/// Locks of a time before queues. A protocol keeps the compiler from warning at each call of what is deprecated.
@Suite(.timeLimit(.minutes(20))) struct LockTests {
    private protocol Lockable: NSLocking, Sendable { func tryLock() -> Bool }

    private struct Held: Lockable {
        let context: NSManagedObjectContext
        @available(*, deprecated) func lock() { context.lock() }
        @available(*, deprecated) func unlock() { context.unlock() }
        @available(*, deprecated) func tryLock() -> Bool { context.tryLock() }
    }

    private struct HeldCoordinator: Lockable {
        let coordinator: NSPersistentStoreCoordinator
        @available(*, deprecated) func lock() { coordinator.lock() }
        @available(*, deprecated) func unlock() { coordinator.unlock() }
        @available(*, deprecated) func tryLock() -> Bool { coordinator.tryLock() }
    }

    private static func lockables() throws -> [any Lockable] {
        let stack = try HeroModel.stack(.inMemory)
        return [Held(context: stack.context), HeldCoordinator(coordinator: stack.coordinator)]
    }

    @Test("who has the lock keeps the others out, and may take it again (CTX-31)")
    func whoHasLockKeepsOthersOut() throws {
        for lockable in try Self.lockables() {
            lockable.lock()
            #expect(lockable.tryLock())
            #expect(!Self.elsewhere { lockable.tryLock() })
            lockable.unlock()
            #expect(!Self.elsewhere { lockable.tryLock() })
            lockable.unlock()
            #expect(Self.elsewhere { Self.takenAndGivenBack(lockable) })
        }
    }

    @Test("threads that take the lock in turn lose no count (CTX-31)")
    func threadsThatTakeLockInTurnLoseNoCount() throws {
        for lockable in try Self.lockables() {
            nonisolated(unsafe) var count = 0
            onThreads(8) { _ in
                for _ in 0..<500 {
                    lockable.lock()
                    count += 1
                    lockable.unlock()
                }
            }
            #expect(count == 4_000)
        }
    }

    private static func takenAndGivenBack(_ lockable: any Lockable) -> Bool {
        guard lockable.tryLock() else { return false }
        lockable.unlock()
        return true
    }

    private static func elsewhere(_ body: @escaping @Sendable () -> Bool) -> Bool {
        let answer = Notes<Bool>()
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            answer.add(body())
            done.signal()
        }
        done.wait(for: "the answer of another thread")
        return answer.all == [true]
    }
}
