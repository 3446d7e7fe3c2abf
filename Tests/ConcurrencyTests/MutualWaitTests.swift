import CoreData
import StoreContract
import Synchronization
import TestBasics
import Testing

/// Threads that hold one queue and wait for another: none waits for ever, and no queue has two at a time.
///
/// What waits on the main thread does so in a process of its own, which ends by SIGALRM if it does not come to an end.
@Suite(.timeLimit(.minutes(20))) struct MutualWaitTests {
    private static let limit: UInt32 = 120

    @Test("the main thread waits for a child that merges what the main context saved (CTX-29)")
    func childMergesWhileMainWaits() async {
        await #expect(processExitsWith: .success) {
            alarm(Self.limit)
            for kind in StoreKind.all {
                try await Task { @MainActor in try Self.saveAndAsk(HeroModel.stack(kind)) }.value
            }
        }
    }

    @MainActor private static func saveAndAsk(_ stack: Stack) throws {
        let main = stack.context(.mainQueue)
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = main
        child.automaticallyMergesChangesFromParent = true
        let heroes = (0..<20).map { main.insert("Hero", ["strength": $0]) }
        try main.save()
        let own = try child.performAndWait { Transfer(try child.all("Hero", sortedBy: "strength")) }
        for turn in 0..<200 {
            heroes[turn % 20].setValue(turn, forKey: "strength")
            try main.save()
            let seen = child.performAndWait {
                let identifier = heroes[turn % 20].objectID
                return own.value.first { $0.objectID == identifier }?.value(forKey: "strength") as? Int
            }
            guard seen == turn else { throw Wrong(value: seen) }
        }
    }

    private struct Wrong: Error { let value: Int? }

    @Test("the main thread waits for a child that asks it, in either order (CTX-29)")
    func childAsksWhileMainWaits() async {
        await #expect(processExitsWith: .success) {
            alarm(Self.limit)
            try await Task { @MainActor in
                let stack = try HeroModel.stack(.inMemory)
                let main = stack.context(.mainQueue)
                let (child, grandchild) = (NSManagedObjectContext(.privateQueue), NSManagedObjectContext(.privateQueue))
                (child.parent, grandchild.parent) = (main, child)
                main.insert("Hero", ["name": "Ann"])
                let (isWrong, thread) = (Tally(), thisThread())
                for turn in 0..<300 {
                    let asker = turn % 3 == 0 ? grandchild : child
                    let begun = DispatchSemaphore(value: 0)
                    asker.perform {
                        begun.signal()
                        let found = try? asker.all("Hero", NSPredicate(format: "name == 'Ann'")).count
                        // Saves into the parent, which answers on the main thread.
                        asker.insert("Hero", ["strength": turn])
                        if found != 1 || (try? asker.save()) == nil { isWrong.add() }
                        if asker === grandchild {
                            child.performAndWait { if (try? child.save()) == nil { isWrong.add() } }
                        }
                    }
                    if turn % 2 == 0 { begun.wait(for: "the beginning of the child's block") }
                    let isOnMain = asker.performAndWait { thisThread() == thread }
                    guard isOnMain, main.insertedObjects.count == turn + 2, isWrong.value == 0 else {
                        throw Wrong(value: turn)
                    }
                }
            }.value
        }
    }

    @Test("what a child asks of the main queue runs on the main thread, which waits for the child (CTX-29)")
    func questionsRunOnTheMainThread() async {
        await #expect(processExitsWith: .success) {
            alarm(Self.limit)
            try await Task { @MainActor in
                let main = try HeroModel.stack(.inMemory).context(.mainQueue)
                let other = NSManagedObjectContext(.privateQueue)
                // The thread that serves the main queue, which need not be the main thread.
                let (places, thread) = (Notes<Bool>(), thisThread())
                for _ in 0..<100 {
                    other.perform { main.performAndWait { places.add(thisThread() == thread) } }
                    other.performAndWait {}
                }
                guard places.all == Array(repeating: true, count: 100) else { throw Wrong(value: nil) }
            }.value
        }
    }

    @Test("threads that wait for each other in circles all go on, one at a time in each context (CTX-29)")
    func threadsThatWaitForEachOtherInCirclesAllGo() throws {
        let stack = try HeroModel.stack(.inMemory)
        for count in 2...4 {
            let contexts = (0..<count).map { _ in Guarded(stack.newContext()) }
            onThreads(count) { thread in
                for turn in 0..<200 {
                    // Each begins with another one, and goes round once, or there and back.
                    let order = (0..<count).map { contexts[(thread + (turn % 2 == 0 ? $0 : count - $0)) % count] }
                    Self.nest(order[...])
                }
            }
            #expect(contexts.map(\.count) == Array(repeating: count * 200, count: count))
        }
    }

    private static func nest(_ order: ArraySlice<Guarded>) {
        guard let first = order.first else { return }
        first.context.performAndWait {
            first.countUp()
            nest(order.dropFirst())
        }
    }

    @Test("parents and children that wait for each other lose no change (CTX-29)", arguments: StoreKind.all)
    func parentsAndChildrenThatWaitForEachOtherLoseNoChange(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let parent = stack.newContext()
        let children = (0..<3).map { _ in
            let child = NSManagedObjectContext(.privateQueue)
            child.parent = parent
            child.automaticallyMergesChangesFromParent = true
            return child
        }
        let faults = Notes<String>()
        onThreads(4) { thread in
            for turn in 0..<40 {
                do {
                    if thread == 3 {
                        try parent.performAndWait {
                            for child in children { child.performAndWait { child.processPendingChanges() } }
                            try parent.save()
                        }
                    } else {
                        let child = children[thread]
                        try child.performAndWait {
                            child.insert("Hero", ["name": "\(thread)", "strength": turn])
                            try child.save()
                            _ = try child.all("Hero", NSPredicate(format: "strength > %d", turn - 3)).count
                        }
                    }
                } catch { faults.add("\(error)") }
            }
        }
        try parent.performAndWait { try parent.save() }
        #expect(faults.all == [])
        #expect(try stack.newContext().all("Hero").count == 120)
    }

    @Test("a thread that waits its turn runs the block itself, in the order of the calls (CTX-29)")
    func threadThatWaitsItsTurnRunsBlockItself() throws {
        let context = try HeroModel.stack(.inMemory).newContext()
        let (gate, order) = (DispatchSemaphore(value: 0), Notes<Int>())
        let isElsewhere = Tally()
        let later: (@escaping @Sendable () -> Void) -> Void = { context.perform($0) }
        later { gate.wait(for: "all blocks to be enqueued") }
        for number in 0..<2_500 { later { order.add(number) } }
        let done = DispatchGroup()
        done.enter()
        Thread.detachNewThread {
            let thread = Thread.current
            context.performAndWait {
                order.add(2_500)
                if Thread.current != thread { isElsewhere.add() }
            }
            done.leave()
        }
        gate.signal()
        done.wait(for: "the block of the waiting thread")
        #expect(order.all == Array(0...2_500) && isElsewhere.value == 0)
    }
}

/// A context, and what only its blocks use: two of them at a time would lose counts, and the thread sanitizer tells.
private final class Guarded: @unchecked Sendable {
    let context: NSManagedObjectContext
    private(set) var count = 0
    private var isInside = false

    init(_ context: NSManagedObjectContext) { self.context = context }

    func countUp() {
        if isInside { return }
        isInside = true
        let former = count
        if former % 16 == 0 { usleep(1) }
        count = former + 1
        isInside = false
    }
}
