import CoreDataBrowser
import CoreDataWorkbench
import Dispatch
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct FileTurnTests {
    @Test("one thread at a time changes a file, and who waits is cancelled (CONC-05)")
    func oneAtATime() throws {
        let turn = FileTurn()
        let (inside, leave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let order = Mutex<[String]>([])
        DispatchQueue.global().async {
            try? turn.take {
                order.withLock { $0.append("first") }
                inside.signal()
                leave.wait()
                order.withLock { $0.append("first ends") }
            }
        }
        inside.wait()
        let cancellation = ReadCancellation()
        cancellation.cancel()
        #expect(throws: CancellationError.self) {
            try ReadCancellation.$current.withValue(cancellation) {
                try turn.take { order.withLock { $0.append("cancelled") } }
            }
        }
        leave.signal()
        try turn.take { order.withLock { $0.append("second") } }
        #expect(throws: InspectionError.self) {
            try turn.take { throw InspectionError(.badValue, subject: "a", cause: "b") }
        }
        // An error gives the turn back.
        try turn.take { order.withLock { $0.append("third") } }
        #expect(order.withLock { $0 } == ["first", "first ends", "second", "third"])
    }
}
