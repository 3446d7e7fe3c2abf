import CoreData
import StoreContract
import Synchronization
import TestBasics
import Testing

/// What is not `Sendable`, on its way to where a test wants it to be misused or only released.
struct Transfer<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

/// A number that several threads change.
final class Tally: Sendable {
    private let number = Mutex(0)
    var value: Int { number.withLock { $0 } }
    func add(_ change: Int = 1) { number.withLock { $0 += change } }
}

/// What was heard, in order, on any thread.
final class Notes<Value: Sendable>: Sendable {
    private let heard = Mutex<[Value]>([])
    var all: [Value] { heard.withLock { $0 } }
    func add(_ value: Value) { heard.withLock { $0.append(value) } }
}

/// Where threads wait until as many have come as are to meet; who comes later goes on at once.
final class Meeting: Sendable {
    private let missing: Mutex<Int>
    private let all = DispatchSemaphore(value: 0)
    private let count: Int

    init(of count: Int) {
        self.count = count
        missing = Mutex(count)
    }

    /// Whether all have come.
    var tookPlace: Bool { missing.withLock { $0 <= 0 } }

    /// Waits for the others, ten seconds at most.
    func attend() {
        let left = missing.withLock { missing in
            missing -= 1
            return missing
        }
        if left == 0 { for _ in 0..<count - 1 { all.signal() } }
        if left > 0 { _ = all.wait(timeout: .now() + 10) }
    }
}

extension Stack {
    /// A context on the stack's coordinator with a queue of the given kind.
    func context(_ type: NSManagedObjectContext.ConcurrencyType) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(type)
        context.persistentStoreCoordinator = coordinator
        return context
    }
}

/// Whether the caller is on the main queue, which in a test's process is not always served by the main thread.
func isOnMainQueue() -> Bool { NSManagedObjectContext(.mainQueue).performAndWaitIsImmediate }

extension NSManagedObjectContext {
    /// Whether a block runs at once although a block before it is still waiting: only on the context's own queue.
    fileprivate var performAndWaitIsImmediate: Bool {
        let order = Notes<Int>()
        perform { order.add(2) }
        performAndWait { order.add(1) }
        return order.all.first == 1
    }
}

/// The thread of the caller, who does not wait for anything asynchronous meanwhile.
func thisThread() -> UInt { UInt(pthread_self()) }

/// Runs a block on as many threads of their own at once, and waits for all of them.
func onThreads(
    _ count: Int, within limit: Duration = .seconds(300), sourceLocation: SourceLocation = #_sourceLocation,
    _ block: @escaping @Sendable (Int) -> Void
) {
    let (ready, done) = (DispatchSemaphore(value: 0), DispatchGroup())
    for number in 0..<count {
        done.enter()
        Thread.detachNewThread {
            ready.wait(for: "the start of all threads")
            block(number)
            done.leave()
        }
    }
    for _ in 0..<count { ready.signal() }
    done.wait(for: "the end of \(count) threads", within: limit, sourceLocation: sourceLocation)
}
