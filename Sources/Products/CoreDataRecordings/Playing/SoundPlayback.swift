import Foundation

/// How a sound is played, as a value that a clock moves: what it says depends on the time that it is given, and on nothing else.
///
/// Positions are seconds of the sound, times are seconds of a clock. A sound with `numberOfLoops` n is played n + 1 times; a negative
/// number plays until it is stopped.
public struct SoundPlayback: Sendable, Hashable, Codable {
    /// Seconds of the sound.
    public let duration: Double
    /// From 0 to 1.
    public var volume: Double { didSet { volume = Self.bounded(volume, 0...1, oldValue) } }
    /// From -1, left, to 1, right.
    public var pan: Double { didSet { pan = Self.bounded(pan, -1...1, oldValue) } }
    /// Whether `rate` has an effect.
    public private(set) var enablesRate = false
    /// How often the sound begins again after its first end.
    public var numberOfLoops = 0
    /// Whether it is played.
    public private(set) var isPlaying = false

    private var wantedRate = 1.0
    private var position = 0.0
    private var started = 0.0
    /// How often the sound has begun again since it was started at rest.
    private var loops = 0
    private var wasInterrupted = false

    /// A sound at rest, of a duration in seconds.
    public init(duration: Double) {
        self.duration = duration.isFinite ? max(duration, 0) : 0
        (volume, pan) = (1, 0)
    }

    private static func bounded(_ value: Double, _ range: ClosedRange<Double>, _ old: Double) -> Double {
        value.isFinite ? min(max(value, range.lowerBound), range.upperBound) : old
    }

    /// Seconds of the sound in a second: from 0.5 to 2, and 1 as long as rates are not enabled.
    public var rate: Double { enablesRate ? wantedRate : 1 }

    /// Chooses a rate at a time; a number outside of 0.5 to 2 is made the nearest within.
    public mutating func setRate(_ rate: Double, at time: Double) {
        moveStart(to: time)
        wantedRate = Self.bounded(rate, 0.5...2, wantedRate)
    }

    /// Enables rates at a time, or plays as recorded from then on.
    public mutating func enableRate(_ isEnabled: Bool, at time: Double) {
        moveStart(to: time)
        enablesRate = isEnabled
    }

    /// Where the sound is at a time.
    public func position(at time: Double) -> Double { place(at: time).position }

    /// How often the sound has begun again at a time.
    public func loops(at time: Double) -> Int { place(at: time).loops }

    /// When it ends by itself; nil for never, or at rest.
    public var end: Double? {
        guard isPlaying, numberOfLoops >= 0 else { return nil }
        let left = duration * Double(max(numberOfLoops - loops, 0) + 1) - position
        return started + left / rate
    }

    /// Whether the sound has come to its end at a time.
    public func hasEnded(at time: Double) -> Bool { end.map { time >= $0 } ?? false }

    /// Begins, or goes on after a pause.
    public mutating func play(at time: Double) {
        guard !isPlaying else { return }
        if position >= duration { (position, loops) = (0, 0) }
        (isPlaying, started, wasInterrupted) = (true, time, false)
    }

    /// Pauses where it is.
    public mutating func pause(at time: Double) {
        moveStart(to: time)
        isPlaying = false
        wasInterrupted = false
    }

    /// Ends; it is at its beginning afterwards, and does not begin again.
    public mutating func finish() { (isPlaying, position, loops, wasInterrupted) = (false, 0, 0, false) }

    /// Goes to another position, whether it is played or not; one outside is made the nearest within.
    public mutating func seek(to position: Double, at time: Double) {
        moveStart(to: time)
        self.position = Self.bounded(position, 0...duration, self.position)
    }

    /// Another use of the device begins, such as a call.
    public mutating func beginInterruption(at time: Double) {
        guard isPlaying else { return }
        pause(at: time)
        wasInterrupted = true
    }

    /// The interruption is over: goes on if it was played, and the flag says so.
    public mutating func endInterruption(shouldResume: Bool, at time: Double) {
        guard wasInterrupted else { return }
        wasInterrupted = false
        if shouldResume { play(at: time) }
    }

    private mutating func moveStart(to time: Double) {
        (position, loops) = place(at: time)
        started = time
    }

    private func place(at time: Double) -> (position: Double, loops: Int) {
        guard isPlaying, duration > 0 else { return (position, loops) }
        let moved = position + max(time - started, 0) * rate
        let whole = Int(exactly: (moved / duration).rounded(.down)) ?? 0
        guard numberOfLoops >= 0, loops + whole > numberOfLoops else {
            return (moved - Double(whole) * duration, loops + whole)
        }
        return (duration, max(numberOfLoops, loops))
    }
}
