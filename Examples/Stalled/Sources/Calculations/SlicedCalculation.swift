import Foundation

/// The second form: a timer of the main queue calculates in slices, each of at most half the time between two pictures of
/// the screen, so that the page has the other half.
@MainActor final class SlicedCalculation {
    /// The time between two pictures: a sixtieth of a second.
    static let frame = Duration.seconds(1) / 60
    /// The longest time for which the main thread is kept.
    static let slice = frame / 2
    static let finishedText = "Calculations Finished"
    static let cancelledText = "Calculations Cancelled"

    private let roots: SquareRoots
    private let label: Label
    private let now: @MainActor () -> Duration
    private var timer: (any DispatchSourceTimer)?
    /// The longest time that one root has taken; a slice ends when another one might not fit.
    private var longest = Duration.zero
    private(set) var completed = 0
    private(set) var isRunning = false
    /// Called when the calculation has ended, whichever way.
    var onEnd: @MainActor () -> Void = {}

    /// Makes a calculation; `now` is the time since some moment.
    init(_ roots: SquareRoots, label: Label, now: (@MainActor () -> Duration)? = nil) {
        let start = ContinuousClock.now
        (self.roots, self.label, self.now) = (roots, label, now ?? { ContinuousClock.now - start })
    }

    /// Begins from 1, on a timer of the main queue.
    func start() {
        begin()
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .now(), repeating: Self.frame / .seconds(1))
        timer.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.tick() } }
        timer.resume()
        self.timer = timer
    }

    /// Begins from 1 without a timer: the caller calls `tick()`.
    func begin() {
        (completed, isRunning) = (0, true)
    }

    /// Calculates one slice; at least one root, so that it comes to an end with slow ones too.
    func tick() {
        guard isRunning else { return }
        let start = now()
        var before = start
        while completed < roots.count {
            label.text = roots.text(completed + 1)
            completed += 1
            let after = now()
            longest = max(longest, after - before)
            before = after
            if after - start + longest > Self.slice { break }
        }
        if completed == roots.count { end(Self.finishedText) }
    }

    /// Stops: nothing more is calculated.
    func cancel() {
        if isRunning { end(Self.cancelledText) }
    }

    private func end(_ text: String) {
        isRunning = false
        timer?.cancel()
        timer = nil
        label.text = text
        onEnd()
    }
}
