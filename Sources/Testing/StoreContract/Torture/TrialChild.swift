import CoreDataGraph

/// The program that makes trials, as `TrialRunner` starts it.
///
/// It writes a line `> n` before the n-th trial, `< n outcome detail` after it, and `.` after the last trial.
/// The first of these lines identifies a trial that ends the process.
public enum TrialChild {
    /// Runs the trials from number `first` on, until `trial` returns nil.
    ///
    /// A trial that throws counts as `broken`; a trial must catch and judge the library's errors itself.
    public static func run(
        from first: Int, limits: TrialLimits = TrialLimits(), _ trial: (Int) throws -> TrialReport?
    ) {
        limits.apply()
        var number = max(1, first)
        while true {
            say("> \(number)")
            let report: TrialReport?
            do {
                report = try trial(number)
            } catch {
                report = TrialReport(.broken, "\(error)")
            }
            guard let report else { return say(".") }
            let detail = report.detail.replacingOccurrences(of: "\n", with: " ").prefix(600)
            say("< \(number) \(report.outcome.rawValue) \(detail)")
            number += 1
        }
    }

    private static func say(_ text: String) {
        let line = Array((text + "\n").utf8)
        // The pipe has no reader any more: the runner has ended.
        guard write(STDOUT_FILENO, line, line.count) == line.count else { exit(2) }
    }
}
