import Foundation
import LockKit

/// Shows the progress of a long command: on a terminal a line that is drawn again in its place, or JSON for other programs.
///
///     try ProgressLine("importing", total: bytes).showing { line in
///         while let record = try next() {
///             try take(record)
///             line.update(position)
///         }
///     }
///
/// The line has a bar, the counts, the rate of the last 15 seconds and the time that the rest takes at that rate. It appears after two
/// seconds, is drawn at most five times a second, is cut to the width of the terminal, and is gone when ``finish(_:)`` returns. As JSON
/// there is an object a line each second and one at the end. What is known changes with each call of `update`; a timer of a second
/// keeps the line going while none comes.
///
/// May be used from any thread.
public final class ProgressLine: Sendable {
    /// How often a line is drawn at most.
    public static let drawingInterval = Duration.milliseconds(200)
    /// How often an object of JSON is written.
    public static let reportingInterval = Duration.seconds(1)

    private let form: ProgressForm
    private let output: ProgressOutput
    private let clock: JobClock
    private let state: Locked<ProgressLineState>

    /// Makes a line; it begins to count the time.
    ///
    /// - Parameters:
    ///   - title: What is done, such as `importing`.
    ///   - total: The units in all; 0 while their number is not known.
    ///   - delay: The time after which a line appears, so that short work shows none.
    ///   - clock: The time, also of the timer.
    public init(
        _ title: String, total: Int64 = 0, form: ProgressForm = .line, output: ProgressOutput = .standardError,
        delay: Duration = .seconds(2), clock: JobClock = .continuous
    ) {
        self.form = form == .line && !output.isTerminal ? .none : form
        (self.output, self.clock) = (output, clock)
        state = Locked(
            ProgressLineState(
                TerminalText.harmless(title), total: max(0, total), begin: clock.now(),
                delay: form == .json ? .zero : delay))
        if self.form != .none { keepGoing() }
    }

    /// A line that is released without `finish` belonged to work that did not come to its end.
    deinit { finish(.failed) }

    /// Runs work with the line, and finishes the line as the work ends: finished, cancelled by a `CancellationError`, or failed.
    public func showing<Result>(_ work: (ProgressLine) throws -> Result) rethrows -> Result {
        do {
            let result = try work(self)
            finish()
            return result
        } catch {
            finish(error is CancellationError ? .cancelled : .failed)
            throw error
        }
    }

    /// Notes how many units are done; what is nil stays as it was.
    public func update(_ completed: Int64, of total: Int64? = nil, message: String? = nil) {
        guard form != .none else { return }
        state.withLock { state in
            state.report.completed = max(0, completed)
            if let total { state.report.total = total > 0 ? total : nil }
            if let message { state.report.message = message.isEmpty ? nil : TerminalText.harmless(message) }
            noteAndDraw(&state)
        }
    }

    /// Notes what Foundation's `Progress` has; a part without counts, as parents of others have, is shown in thousandths.
    public func update(_ progress: Progress) {
        let total = progress.totalUnitCount
        let done = progress.fractionCompleted
        guard total > 0, done.isFinite else { return update(progress.completedUnitCount, of: 0) }
        // Units of a parent count when a child has ended; its fraction is finer.
        guard Double(progress.completedUnitCount) / Double(total) < done else {
            return update(progress.completedUnitCount, of: total)
        }
        update(Int64(min(max(done, 0), 1) * 1_000), of: 1_000)
    }

    /// Notes what is known of a job.
    public func update(_ job: JobSnapshot) {
        guard form != .none else { return }
        state.withLock { $0.report.state = job.state }
        update(job.completedUnitCount, of: job.totalUnitCount, message: job.message)
    }

    /// Shows a job until it has ended, with the last JSON object or the end of the line.
    public func follow(_ job: Job) {
        job.observe { [self] snapshot in
            update(snapshot)
            if snapshot.state.isEnded { finish(snapshot.state) }
        }
    }

    /// Takes the line away so that something else can be written; it appears again with the next update.
    public func clear() {
        state.withLock { if $0.clear() { output.write("\r\u{1B}[K") } }
    }

    /// Takes the line away, or writes the last JSON object, once; nothing is shown afterwards.
    public func finish(_ end: JobState = .finished) {
        state.withLock { state in
            guard !state.isFinished else { return }
            state.isFinished = true
            if state.clear() { output.write("\r\u{1B}[K") }
            guard form == .json else { return }
            state.report.state = end
            output.write(state.completeReport(at: clock.now()).json + "\n")
        }
    }

    /// Notes what is done, and draws the line if it is time.
    private func noteAndDraw(_ state: inout ProgressLineState) {
        let now = clock.now()
        state.estimate.add(state.report.completed, at: now)
        guard form == .line, state.isDue(at: now, every: Self.drawingInterval) else { return }
        state.isVisible = true
        // The last column stays free: some terminals go to the next line when it is written.
        let text = TerminalText.cut(state.completeReport(at: now).text, to: output.width() - 1)
        output.write("\r\u{1B}[K" + text)
    }

    /// Goes on each second while no update comes, until the line is finished or released.
    private func keepGoing() {
        clock.after(Self.reportingInterval) { [weak self] in
            guard let self else { return }
            let goesOn = state.withLock { state in
                guard !state.isFinished else { return false }
                noteAndDraw(&state)
                // Objects come by the timer alone, so that there is one a second.
                if form == .json { output.write(state.completeReport(at: clock.now()).json + "\n") }
                return true
            }
            if goesOn { keepGoing() }
        }
    }
}
