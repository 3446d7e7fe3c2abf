import Dispatch
import Foundation
import LockKit

/// Speaks utterances one after the other, by the name of AVFoundation's class.
///
/// Sound is made by the program `coredata-speech` over eSpeak NG, and played by a sink. All methods may be called on any thread; the
/// delegate is called on the queue that was given, the main queue by default.
///
/// | state | `speak` | `pauseSpeaking` | `continueSpeaking` | `stopSpeaking` |
/// |---|---|---|---|---|
/// | idle | preparing | | | |
/// | preparing: sound is being made | waits | paused before the first sound | | idle |
/// | speaking | waits | paused, at once or after the word | | idle, at once or after the word |
/// | paused | waits | | speaking | idle |
public final class AVSpeechSynthesizer: @unchecked Sendable {
    private struct Entry: Sendable {
        let utterance: AVSpeechUtterance
        let properties: SpokenProperties
    }

    /// What is being spoken.
    private struct Current {
        let entry: Entry
        var sound: SpokenSound?
        /// Seconds of the sound that were heard when it was last started or paused.
        var position = 0.0
        /// The clock's time when it was last started; nil while it is paused or prepared.
        var started: Double?
        var word = 0
        var hasStarted = false
        var isPaused = false
        /// What is done when the next word begins.
        var atWord: (() -> Void)?
        var preparing: Task<Void, Never>?
    }

    // Guarded by `queue`.
    private var waiting: [Entry] = []
    private var current: Current?
    /// Counts up with each start, pause and end, so that what the clock calls late is known as such.
    private var turn = 0
    private weak var owner: (any AVSpeechSynthesizerDelegate)?

    private let queue = DispatchQueue(label: "CoreDataSpeech.synthesizer")
    private let sink: any SpeechSink
    private let clock: any SpeechClock
    private let delegateQueue: DispatchQueue

    /// A synthesizer.
    ///
    /// - Parameters:
    ///   - sink: Where speech is heard; by default the system's player, silent where there is none.
    ///   - clock: The time by which words are reported.
    ///   - delegateQueue: A serial queue on which the delegate is called.
    public init(
        sink: any SpeechSink = SystemSpeechSink(), clock: any SpeechClock = SystemSpeechClock(),
        delegateQueue: DispatchQueue = .main
    ) {
        (self.sink, self.clock, self.delegateQueue) = (sink, clock, delegateQueue)
    }

    deinit {
        current?.preparing?.cancel()
        sink.stop()
    }

    /// Whether texts can be spoken here.
    public static var isAvailable: Bool { !AVSpeechSynthesisVoice.speechVoices().isEmpty }

    /// What is called when something happens; it is not retained.
    public var delegate: (any AVSpeechSynthesizerDelegate)? {
        get { queue.sync { owner } }
        set { queue.sync { owner = newValue } }
    }

    /// Whether an utterance is prepared, spoken or paused.
    public var isSpeaking: Bool { queue.sync { current != nil } }

    /// Whether speaking is paused.
    public var isPaused: Bool { queue.sync { current?.isPaused ?? false } }

    /// Speaks an utterance after those that wait.
    public func speak(_ utterance: AVSpeechUtterance) {
        let entry = Entry(utterance: utterance, properties: SpokenProperties(utterance))
        queue.sync {
            waiting.append(entry)
            if current == nil { prepareNext() }
        }
    }

    /// Pauses; false if nothing is spoken or it is paused already.
    @discardableResult
    public func pauseSpeaking(at boundary: AVSpeechBoundary) -> Bool {
        queue.sync {
            guard let current, !current.isPaused else { return false }
            if boundary == .word, current.started != nil, current.hasStarted {
                self.current?.atWord = { [unowned self] in pause() }
            } else {
                pause()
            }
            return true
        }
    }

    /// Goes on after a pause; false if there was none.
    @discardableResult
    public func continueSpeaking() -> Bool {
        queue.sync {
            guard var entry = current, entry.isPaused else { return false }
            entry.isPaused = false
            current = entry
            let utterance = entry.entry.utterance
            if entry.hasStarted { report { $0.speechSynthesizer($1, didContinue: utterance) } }
            if entry.sound != nil { start() }
            return true
        }
    }

    /// Ends what is spoken and forgets what waits; false if nothing is spoken.
    @discardableResult
    public func stopSpeaking(at boundary: AVSpeechBoundary) -> Bool {
        queue.sync {
            guard let current else { return false }
            if boundary == .word, current.started != nil, current.hasStarted {
                self.current?.atWord = { [unowned self] in cancelAll() }
            } else {
                cancelAll()
            }
            return true
        }
    }

    // MARK: - On the queue

    private func prepareNext() {
        guard !waiting.isEmpty else { return }
        let entry = waiting.removeFirst()
        turn += 1
        let own = turn
        current = Current(entry: entry)
        current?.preparing = Task { [weak self] in
            let result: Result<SpokenSound, any Error>
            do { result = .success(try await SpokenSound.speak(entry.properties)) } catch { result = .failure(error) }
            guard let self else { return }
            queue.async { self.prepared(result, own) }
        }
    }

    private func prepared(_ result: Result<SpokenSound, any Error>, _ own: Int) {
        guard var entry = current, entry.sound == nil, entry.preparing != nil, turn == own else { return }
        switch result {
        case .success(let sound):
            entry.sound = sound
            // The silence before the text is a part of the way to its first sound.
            entry.position = 0 - entry.entry.properties.before
            current = entry
            if !entry.isPaused { start() }
        case .failure(let error):
            current = nil
            let utterance = entry.entry.utterance
            report { $0.speechSynthesizer($1, didFail: utterance, error: error) }
            report { $0.speechSynthesizer($1, didCancel: utterance) }
            prepareNext()
        }
    }

    /// Starts or goes on at the current position.
    private func start() {
        guard let entry = current, let sound = entry.sound else { return }
        turn += 1
        current?.started = clock.now
        if entry.position >= 0 { sink.play(sound, from: entry.position) }
        scheduleNext()
    }

    /// Calls back at the next moment at which something is to be reported.
    private func scheduleNext() {
        guard let entry = current, let sound = entry.sound else { return }
        let end = sound.duration + entry.entry.properties.after
        let next = !entry.hasStarted ? 0 : entry.word < sound.words.count ? sound.words[entry.word].time : end
        let own = turn
        clock.call(after: next - position) { [weak self] in
            guard let self else { return }
            queue.async { self.arrived(at: next, own) }
        }
    }

    /// Seconds of the sound that were heard; negative in the silence before it.
    private var position: Double {
        guard let entry = current else { return 0 }
        return entry.position + (entry.started.map { clock.now - $0 } ?? 0)
    }

    private func arrived(at time: Double, _ own: Int) {
        guard own == turn, var entry = current, entry.started != nil, let sound = entry.sound else { return }
        let utterance = entry.entry.utterance
        if !entry.hasStarted {
            entry.hasStarted = true
            current = entry
            report { $0.speechSynthesizer($1, didStart: utterance) }
            if entry.position < 0 { sink.play(sound, from: 0) }
            return scheduleNext()
        }
        if let atWord = entry.atWord {
            entry.atWord = nil
            current = entry
            return atWord()
        }
        guard entry.word < sound.words.count else {
            current = nil
            report { $0.speechSynthesizer($1, didFinish: utterance) }
            return prepareNext()
        }
        let range = sound.words[entry.word].range
        entry.word += 1
        current = entry
        report { $0.speechSynthesizer($1, willSpeakRangeOfSpeechString: range, utterance: utterance) }
        scheduleNext()
    }

    private func pause() {
        guard var entry = current else { return }
        entry.position = position
        entry.started = nil
        entry.isPaused = true
        current = entry
        if entry.sound != nil { turn += 1 }
        sink.stop()
        let utterance = entry.entry.utterance
        if entry.hasStarted { report { $0.speechSynthesizer($1, didPause: utterance) } }
    }

    private func cancelAll() {
        let cancelled = [current?.entry].compactMap { $0 } + waiting
        current?.preparing?.cancel()
        (current, waiting) = (nil, [])
        turn += 1
        sink.stop()
        for entry in cancelled { report { $0.speechSynthesizer($1, didCancel: entry.utterance) } }
    }

    private func report(
        _ call: @escaping @Sendable (any AVSpeechSynthesizerDelegate, AVSpeechSynthesizer) -> Void
    ) {
        guard let owner else { return }
        delegateQueue.async { [self] in call(owner, self) }
    }
}
