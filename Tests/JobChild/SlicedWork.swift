import Foundation

/// Long work in slices of half of 1/60 s on the main run loop, each of which a timer of 1/60 s begins; see what else the loop gets done.
///
/// Writes the longest time in ticks that a block in the main queue waited, whether the work stopped within a tick of being asked to,
/// and the number of slices.
enum SlicedWork {
    static let tick = 1.0 / 60

    nonisolated(unsafe) static var sliceCount = 0
    nonisolated(unsafe) static var slicesAfterStop = 0
    nonisolated(unsafe) static var isStopped = false
    nonisolated(unsafe) static var waits: [TimeInterval] = []

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
                let sent = ProcessInfo.processInfo.systemUptime
                let answered = DispatchSemaphore(value: 0)
                DispatchQueue.main.async {
                    waits.append(ProcessInfo.processInfo.systemUptime - sent)
                    answered.signal()
                }
                answered.wait()
                Thread.sleep(forTimeInterval: 0.007)
            }
            DispatchQueue.main.async {
                isStopped = true
                let before = sliceCount
                DispatchQueue.main.asyncAfter(deadline: .now() + 5 * tick) {
                    slicesAfterStop = sliceCount - before
                    say("\(waits.sorted()[waits.count / 2] < tick) \(slicesAfterStop) \(sliceCount > 3)")
                    exit(0)
                }
            }
        }
        RunLoop.main.run()
    }

    private static func work() {
        sliceCount += 1
        let end = ProcessInfo.processInfo.systemUptime + tick / 2
        while ProcessInfo.processInfo.systemUptime < end {}
    }
}
