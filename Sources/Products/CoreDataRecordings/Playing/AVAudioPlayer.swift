import Dispatch
import Foundation
import LockKit

/// Where sounds are heard. A player calls it in the order of what happens.
public protocol SoundSink: AnyObject, Sendable {
    /// Reads the file, so that playing begins without a delay.
    func prepare(_ file: URL)
    /// Plays from a position on, as the value says.
    func play(_ file: URL, _ playback: SoundPlayback, from position: Double)
    /// Takes over volume, pan and rate of what is played.
    func change(_ playback: SoundPlayback)
    /// Ends the playing.
    func stop()
}

/// The time by which sounds are played.
public protocol SoundClock: Sendable {
    /// Seconds since some moment; they do not go backwards.
    var now: Double { get }
    /// Calls a block after some seconds, on any queue.
    func call(after seconds: Double, _ block: @escaping @Sendable () -> Void)
}

/// What a player reports, on the player's queue, by the name of AVFoundation's protocol.
public protocol AVAudioPlayerDelegate: AnyObject, Sendable {
    /// A sound came to its end, after all its loops. Not called when it was stopped.
    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)
}

/// Plays a sound, by the name of AVFoundation's class. Several may play at once. All members may be used on any thread.
public final class AVAudioPlayer: Sendable {
    private struct State {
        var playback: SoundPlayback
        /// Counts up with each change, so that what the clock calls late is known as such.
        var turn = 0
        weak var delegate: (any AVAudioPlayerDelegate)?
    }

    /// The file that is played.
    public let url: URL
    /// Seconds.
    public let duration: TimeInterval
    private let sink: any SoundSink
    private let clock: any SoundClock
    private let queue: DispatchQueue
    private let state: Locked<State>

    /// A player of a file of any form that `ffprobe` knows.
    ///
    /// - Throws: `RecordingError` if it has no sound.
    public convenience init(
        contentsOf url: URL, sink: any SoundSink, clock: any SoundClock = SystemSoundClock(),
        delegateQueue: DispatchQueue = .main
    ) async throws {
        let information = try await MediaInformation(of: url)
        guard information.hasSound else {
            throw RecordingError(.unreadable, "the file has no sound", hint: "give a sound")
        }
        self.init(url, information.duration, sink, clock, delegateQueue)
    }

    init(
        _ url: URL, _ duration: Double, _ sink: any SoundSink, _ clock: any SoundClock, _ delegateQueue: DispatchQueue
    ) {
        (self.url, self.duration, self.sink, self.clock, queue) = (url, duration, sink, clock, delegateQueue)
        state = Locked(State(playback: SoundPlayback(duration: duration)))
    }

    deinit { sink.stop() }

    /// What is called at the end; it is not retained.
    public var delegate: (any AVAudioPlayerDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// All that the player would need to go on elsewhere.
    public var playback: SoundPlayback { state.withLock { $0.playback } }

    /// Whether the sound is played.
    public var isPlaying: Bool { playback.isPlaying }

    /// From 0 to 1.
    public var volume: Double {
        get { playback.volume }
        set { set { $0.volume = newValue } }
    }

    /// From -1, left, to 1, right.
    public var pan: Double {
        get { playback.pan }
        set { set { $0.pan = newValue } }
    }

    /// Whether `rate` has an effect.
    public var enableRate: Bool {
        get { playback.enablesRate }
        set { set { [now = clock.now] in $0.enableRate(newValue, at: now) } }
    }

    /// From 0.5 to 2; 1 as long as it is not enabled.
    public var rate: Double {
        get { playback.rate }
        set { set { [now = clock.now] in $0.setRate(newValue, at: now) } }
    }

    /// The sound is played once more than this number; negative for without an end.
    public var numberOfLoops: Int {
        get { playback.numberOfLoops }
        set { set { $0.numberOfLoops = newValue } }
    }

    /// Seconds of the sound; setting it goes there.
    public var currentTime: TimeInterval {
        get { state.withLock { $0.playback.position(at: clock.now) } }
        set {
            let now = clock.now
            let moved = state.withLock { state -> SoundPlayback in
                state.playback.seek(to: newValue, at: now)
                return state.playback
            }
            guard moved.isPlaying else { return }
            sink.play(url, moved, from: moved.position(at: now))
            schedule()
        }
    }

    /// Reads the file, so that `play` begins without a delay.
    public func prepareToPlay() { sink.prepare(url) }

    /// Begins, or goes on after a pause.
    public func play() { start { $0.play(at: $1) } }

    /// Pauses where it is.
    public func pause() { halt { $0.pause(at: $1) } }

    /// Stops; `play` goes on where it was, as with Apple's class.
    public func stop() { halt { $0.pause(at: $1) } }

    /// Another use of the device begins, such as a call.
    public func beginInterruption() { halt { $0.beginInterruption(at: $1) } }

    /// The interruption is over: goes on if it was played and the flag says so.
    public func endInterruption(shouldResume: Bool) { start { $0.endInterruption(shouldResume: shouldResume, at: $1) } }

    private func start(_ change: (inout SoundPlayback, Double) -> Void) {
        let now = clock.now
        let begun = state.withLock { state -> SoundPlayback? in
            let was = state.playback.isPlaying
            change(&state.playback, now)
            return state.playback.isPlaying && !was ? state.playback : nil
        }
        guard let begun else { return }
        sink.play(url, begun, from: begun.position(at: now))
        schedule()
    }

    private func halt(_ change: (inout SoundPlayback, Double) -> Void) {
        let now = clock.now
        let wasPlaying = state.withLock { state in
            let was = state.playback.isPlaying
            change(&state.playback, now)
            state.turn += 1
            return was
        }
        if wasPlaying { sink.stop() }
    }

    private func set(_ change: (inout SoundPlayback) -> Void) {
        let changed = state.withLock { state in
            change(&state.playback)
            return state.playback
        }
        sink.change(changed)
        if changed.isPlaying { schedule() }
    }

    /// Looks for the end when it is due.
    private func schedule() {
        let (end, turn) = state.withLock { state -> (Double?, Int) in
            state.turn += 1
            return (state.playback.end, state.turn)
        }
        guard let end else { return }
        clock.call(after: end - clock.now) { [weak self] in self?.arrived(turn) }
    }

    private func arrived(_ turn: Int) {
        let now = clock.now
        let (hasEnded, delegate) = state.withLock { state -> (Bool, (any AVAudioPlayerDelegate)?) in
            guard state.turn == turn, let end = state.playback.end, now >= end - 0.000_001 else { return (false, nil) }
            state.playback.finish()
            return (true, state.delegate)
        }
        guard hasEnded else { return }
        sink.stop()
        if let delegate { queue.async { delegate.audioPlayerDidFinishPlaying(self, successfully: true) } }
    }
}

/// The system's clock.
public struct SystemSoundClock: SoundClock {
    private static let queue = DispatchQueue(label: "CoreDataRecordings.clock")

    /// The system's clock.
    public init() {}

    public var now: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

    public func call(after seconds: Double, _ block: @escaping @Sendable () -> Void) {
        Self.queue.asyncAfter(deadline: .now() + max(seconds, 0), execute: block)
    }
}
