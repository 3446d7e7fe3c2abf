import Foundation
import Synchronization

/// Long work in slices of half of 1/60 s on the main run loop, each of which a timer of 1/60 s begins; see what else the loop gets done.
///
/// Writes the most slices that began while a block in the main queue waited, the number of slices after the work was asked to stop, and
/// whether there were several.
enum SlicedWork {
    static let tick = 1.0 / 60

    private static let sliceCount = Atomic(0)
    nonisolated(unsafe) private static var isStopped = false
    nonisolated(unsafe) private static var mostSlices = 0

    /// The slices that have begun.
    private static var count: Int { sliceCount.load(ordering: .sequentiallyConsistent) }

    static func run() {
        let timer = Timer(timeInterval: tick, repeats: true) { timer in
            if isStopped {
                timer.invalidate()
                return
            }
            work()
        }
        RunLoop.main.add(timer, forMode: .common)
        DispatchQueue.global().async {
            for _ in 0..<40 {
                let before = count
                let answered = DispatchSemaphore(value: 0)
                DispatchQueue.main.async {
                    mostSlices = max(mostSlices, count - before)
                    answered.signal()
                }
                answered.wait()
                Thread.sleep(forTimeInterval: 0.007)
            }
            DispatchQueue.main.async {
                isStopped = true
                let before = count
                DispatchQueue.main.asyncAfter(deadline: .now() + 5 * tick) {
                    say("\(mostSlices) \(count - before) \(count > 3)")
                    exit(0)
                }
            }
        }
        RunLoop.main.run()
    }

    private static func work() {
        sliceCount.add(1, ordering: .sequentiallyConsistent)
        let end = ProcessInfo.processInfo.systemUptime + tick / 2
        while ProcessInfo.processInfo.systemUptime < end {}
    }
}
