import Foundation
import LockKit

/// What samples come from: a microphone, a file, or a test.
public protocol SampleSource: AnyObject, Sendable {
    /// Gives samples of all channels in turn, from -1 to 1, until `stop`. May be called again after it.
    func start(sampleRate: Int, channels: Int, _ receive: @escaping @Sendable ([Float]) -> Void)
    /// Ends giving samples.
    func stop()
}

/// Records into a file in WAV, by the name of AVFoundation's class: 44,100 samples in a second and 2 channels by default.
///
/// | state | `record` | samples | `pause` | `stop` |
/// |---|---|---|---|---|
/// | idle | recording, a new file | | | |
/// | recording | | appended | paused | idle, the file is complete |
/// | paused | recording, appended to the same file | | | idle |
///
/// A recorder whose file is there already records only with `replacesFile`: ask the person first. All methods may be called on any
/// thread.
public final class AVAudioRecorder: Sendable {
    private struct State {
        var file: WaveFile?
        var isRecording = false
        /// The frames after which recording ends by itself.
        var limit: Int?
        var failure: (any Error)?
        var ended: (@Sendable (Result<URL, any Error>) -> Void)?
        var turn = 0
    }

    /// Where the recording is written.
    public let url: URL
    /// Samples in a second.
    public let sampleRate: Int
    /// Channels.
    public let channels: Int
    private let source: any SampleSource
    private let state = Locked(State())

    /// A recorder; nothing is written yet.
    public init(url: URL, source: any SampleSource, sampleRate: Int = 44_100, channels: Int = 2) {
        (self.url, self.source, self.sampleRate, self.channels) = (url, source, sampleRate, channels)
    }

    deinit { stop() }

    /// Whether samples are written.
    public var isRecording: Bool { state.withLock { $0.isRecording } }

    /// Seconds that were recorded.
    public var currentTime: TimeInterval { state.withLock { Double($0.file?.frames ?? 0) / Double(sampleRate) } }

    /// Whether there is a file that recording would replace.
    public var wouldReplaceFile: Bool {
        state.withLock { $0.file == nil } && FileManager.default.fileExists(atPath: url.path)
    }

    /// Begins, or goes on after a pause.
    ///
    /// - Parameters:
    ///   - duration: The seconds of the whole recording after which it ends by itself; nil for no end.
    ///   - replacesFile: Whether a file that is there may be replaced.
    ///   - ended: Called once when the recording ends, with its file or the error that ended it.
    /// - Throws: `RecordingError` of code `exists` or `badSettings`; errors of the file system.
    public func record(
        forDuration duration: TimeInterval? = nil, replacesFile: Bool = false,
        ended: (@Sendable (Result<URL, any Error>) -> Void)? = nil
    ) throws {
        if let duration, !(duration.isFinite && duration > 0 && duration < 360_000) {
            throw RecordingError(
                .badSettings, "no recording lasts that long", hint: "give a duration of up to 100 hours")
        }
        let turn = try state.withLock { state -> Int? in
            guard !state.isRecording else { return nil }
            if state.file == nil {
                guard replacesFile || !FileManager.default.fileExists(atPath: url.path) else {
                    throw RecordingError(
                        .exists, "there is a recording '\(url.lastPathComponent)' already",
                        hint: "ask whether it is to be replaced")
                }
                state.file = try WaveFile(at: url, sampleRate: sampleRate, channels: channels)
            }
            if let duration { state.limit = Int((duration * Double(sampleRate)).rounded()) }
            if let ended { state.ended = ended }
            state.isRecording = true
            state.turn += 1
            return state.turn
        }
        guard let turn else { return }
        source.start(sampleRate: sampleRate, channels: channels) { [weak self] samples in self?.receive(samples, turn) }
    }

    /// Pauses; `record` goes on in the same file.
    public func pause() {
        let was = state.withLock { state in
            defer { state.isRecording = false }
            try? state.file?.update()
            return state.isRecording
        }
        if was { source.stop() }
    }

    /// Ends the recording and completes the file.
    public func stop() { end(nil) }

    private func receive(_ samples: [Float], _ turn: Int) {
        let isComplete = state.withLock { state -> Bool? in
            guard state.isRecording, state.turn == turn, let file = state.file else { return nil }
            let left = state.limit.map { max($0 - file.frames, 0) * channels } ?? .max
            do { try file.append(Array(samples.prefix(left))) } catch {
                state.failure = error
                return true
            }
            return state.limit.map { file.frames >= $0 } ?? false
        }
        if isComplete == true { end(turn) }
    }

    /// - Parameter turn: Ends only what was begun with it; nil ends all.
    private func end(_ turn: Int?) {
        let done = state.withLock {
            state -> (ended: (@Sendable (Result<URL, any Error>) -> Void)?, error: (any Error)?)? in
            guard let file = state.file, turn == nil || state.turn == turn else { return nil }
            do { try file.close() } catch { state.failure = state.failure ?? error }
            let done = (state.ended, state.failure)
            let turn = state.turn
            state = State()
            state.turn = turn
            return done
        }
        guard let done else { return }
        source.stop()
        done.ended?(done.error.map { .failure($0) } ?? .success(url))
    }
}
