import Synchronization
import Testing

@testable import CoreDataGraph

@Suite struct PostingGateTests {
    private static let gate = PostingGate()
    private static let waited = PostingGate()

    @Test("an observer may post itself (CTX-17)") func observerMayPostItself() {
        let gate = PostingGate()
        var order: [Int] = []
        gate.passing {
            order.append(1)
            gate.passing { order.append(2) }
            order.append(3)
        }
        gate.passing { order.append(4) }
        #expect(order == [1, 2, 3, 4])
    }

    @Test("who finds another thread posting lets others run, and goes on when that one has posted (CTX-17)")
    func whoFindsAnotherThreadPostingLetsOthersRun() {
        let gate = PostingGate()
        var waits = 0
        gate.passing({}, letOthersRun: { waits += 1 })
        #expect(waits == 0)
        // It is in vain while the other one goes on posting.
        gate.passing { gate.passing({}, letOthersRun: { waits += 1 }) }
        #expect(waits == PostingGate.patience)
        // The other one has posted when this one has waited for the third time.
        waits = 0
        let (begun, posted, ended) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        Thread {
            Self.waited.passing {
                begun.signal()
                posted.wait()
            }
            ended.signal()
        }.start()
        begun.wait()
        Self.waited.passing(
            {},
            letOthersRun: {
                waits += 1
                guard waits == 3 else { return }
                posted.signal()
                ended.wait()
            })
        #expect(waits == 3)
    }

    @Test("an observer may wait for what another thread posts (CTX-17)") func observerMayWaitForWhatAnotherThreadPosts()
    {
        let posted = DispatchSemaphore(value: 0)
        Self.gate.passing {
            Thread { Self.gate.passing { posted.signal() } }.start()
            posted.wait()
        }
    }

    @Test("each of many threads' posts arrives once (CTX-17)") func eachOfManyThreadsPostsArrivesOnce() {
        let group = DispatchGroup()
        let name = Notification.Name("PostingGateTests")
        let sender = NSObject()
        let arrived = Mutex(0)
        let observer = NotificationCenter.default.addObserver(forName: name, object: sender, queue: nil) { _ in
            arrived.withLock { $0 += 1 }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        nonisolated(unsafe) let object = sender
        for _ in 0..<16 {
            group.enter()
            Thread {
                for _ in 0..<500 {
                    Self.gate.passing { NotificationCenter.default.post(name: name, object: object) }
                }
                group.leave()
            }.start()
        }
        group.wait()
        #expect(arrived.withLock { $0 } == 8_000)
    }
}
