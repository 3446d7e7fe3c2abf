/// What a progress line knows and has shown.
struct ProgressLineState {
    var report: ProgressReport
    var estimate = RateEstimate()
    var isVisible = false
    var isFinished = false
    private let begin: Duration
    private let delay: Duration
    private var shown: Duration?

    init(_ title: String, total: Int64, begin: Duration, delay: Duration) {
        (self.begin, self.delay) = (begin, delay)
        report = ProgressReport(
            title: title, state: .running, completed: 0, total: total > 0 ? total : nil, elapsed: 0)
    }

    /// Whether something may be shown now; if so it counts as shown.
    mutating func isDue(at now: Duration, every interval: Duration) -> Bool {
        guard !isFinished, now - begin >= max(delay, interval) else { return false }
        if let shown, now - shown < interval { return false }
        shown = now
        return true
    }

    /// Whether a line has to be taken away.
    mutating func clear() -> Bool {
        guard isVisible else { return false }
        isVisible = false
        return true
    }

    func completeReport(at now: Duration) -> ProgressReport {
        var report = report
        if let total = report.total, total > 0 {
            report.fraction = min(1, Double(report.completed) / Double(total))
            report.remaining = estimate.remaining(of: total)
        }
        report.rate = estimate.rate
        report.elapsed = (now - begin) / .seconds(1)
        return report
    }
}
