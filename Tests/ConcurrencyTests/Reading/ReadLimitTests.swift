import CoreData
import Dispatch
import Testing

@Suite struct ReadLimitTests {
    private struct Interrupted: Error {}

    @Test("a limit of time holds though all threads of the global queues wait")
    func limitNeedsNoGlobalQueue() throws {
        let gate = DispatchSemaphore(value: 0)
        for _ in 0..<100 { DispatchQueue.global().async { gate.wait() } }
        defer { for _ in 0..<100 { gate.signal() } }
        let end = ContinuousClock.now + .seconds(30)
        let done: Void? = try ReadCancellation.limited(to: .milliseconds(100)) {
            guard let reading = ReadCancellation.current else { return }
            try reading.reading(with: {}) {
                while !reading.isCancelled {
                    guard ContinuousClock.now < end else { return }
                    usleep(1_000)
                }
                throw Interrupted()
            }
        }
        #expect(done == nil)
    }
}
