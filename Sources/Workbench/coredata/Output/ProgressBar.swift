import Dispatch
import Foundation

/// Shows the progress of long work: a line on standard error that is rewritten, only on a terminal and after two
/// seconds.
final class ProgressBar {
    private static let width = 24

    private let title: String
    private var total: Int
    private let begin = ContinuousClock.now
    private var shown = ContinuousClock.now
    private var isVisible = false
    private let isTerminal = isatty(STDERR_FILENO) == 1

    /// A bar for work of `total` parts; 0 if the number is not known.
    init(_ title: String, of total: Int = 0) {
        self.title = title
        self.total = total
    }

    deinit { finish() }

    /// Shows how many parts are done; `total` replaces the number of all parts if that has become known.
    func update(_ done: Int, of total: Int? = nil) {
        if let total { self.total = total }
        guard isTerminal else { return }
        let now = ContinuousClock.now
        guard now - begin >= .seconds(2), now - shown >= .milliseconds(200) else { return }
        shown = now
        isVisible = true
        Self.write("\r\u{1B}[K" + line(done))
    }

    /// Removes the line.
    func finish() {
        guard isVisible else { return }
        isVisible = false
        Self.write("\r\u{1B}[K")
    }

    /// Runs a block whose progress is not known, and shows how long it has been running.
    ///
    /// The block must not print anything.
    static func timing<Result>(_ title: String, _ body: () throws -> Result) rethrows -> Result {
        guard isatty(STDERR_FILENO) == 1 else { return try body() }
        let queue = DispatchQueue(label: "coredata.ProgressBar")
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let begin = ContinuousClock.now
        timer.setEventHandler { write("\r\u{1B}[K\(title): \((ContinuousClock.now - begin).components.seconds) s") }
        timer.schedule(deadline: .now() + .seconds(2), repeating: .seconds(1))
        timer.resume()
        defer {
            timer.cancel()
            // Waits for a line that the timer may be writing.
            queue.sync { if ContinuousClock.now - begin >= .seconds(2) { write("\r\u{1B}[K") } }
        }
        return try body()
    }

    private func line(_ done: Int) -> String {
        guard total > 0 else { return "\(title): \(done)" }
        let part = min(1, Double(done) / Double(total))
        let filled = Int(part * Double(Self.width))
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
        return "\(title): [\(bar)] \(Int(part * 100)) %"
    }

    private static func write(_ text: String) {
        var text = text
        // An error of showing the bar is ignored.
        _ = text.withUTF8 { systemWrite(STDERR_FILENO, bytes: $0.baseAddress, count: $0.count) }
    }
}

private func systemWrite(_ descriptor: Int32, bytes: UnsafePointer<UInt8>?, count: Int) -> Int {
    write(descriptor, bytes, count)
}
