import CoreDataSpeech
import Foundation
import Synchronization

/// A delegate that keeps what is reported to it, and what a task waits for.
final class SpeechRecorder: AVSpeechSynthesizerDelegate {
    private let kept = Mutex<[String]>([])

    var events: [String] { kept.withLock { $0 } }

    private func note(_ text: String) { kept.withLock { $0.append(text) } }

    func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didStart utterance: AVSpeechUtterance) { note("start") }
    func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didFinish utterance: AVSpeechUtterance) {
        note("finish")
    }
    func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didPause utterance: AVSpeechUtterance) { note("pause") }
    func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didContinue utterance: AVSpeechUtterance) {
        note("continue")
    }
    func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didCancel utterance: AVSpeechUtterance) {
        note("cancel")
    }
    func speechSynthesizer(
        _ synthesizer: AVSpeechSynthesizer, willSpeakRangeOfSpeechString characterRange: NSRange,
        utterance: AVSpeechUtterance
    ) { note((utterance.speechString as NSString).substring(with: characterRange)) }
    func speechSynthesizer(
        _ synthesizer: AVSpeechSynthesizer, didFail utterance: AVSpeechUtterance, error: any Error
    ) { note("fail: \(error)") }

    /// Waits until there are that many events; what there is after a while otherwise.
    func events(_ count: Int, moving clock: HandClock? = nil) async -> [String] {
        for _ in 0..<2_000 {
            if events.count >= count { break }
            clock?.move()
            try? await Task.sleep(nanoseconds: 5_000_000)
        }
        return events
    }
}

/// A sink that keeps what it is asked to play.
final class SilentSink: SpeechSink {
    private let kept = Mutex<[String]>([])

    var calls: [String] { kept.withLock { $0 } }

    func play(_ sound: SpokenSound, from second: Double) {
        kept.withLock { $0.append("play \((second * 100).rounded() / 100)") }
    }
    func stop() { kept.withLock { $0.append("stop") } }
}

/// A clock that a test moves from one call to the next.
final class HandClock: SpeechClock {
    private struct State {
        var now = 0.0
        var calls: [(time: Double, block: @Sendable () -> Void)] = []
    }
    private let state = Mutex(State())

    var now: Double { state.withLock { $0.now } }

    func call(after seconds: Double, _ block: @escaping @Sendable () -> Void) {
        state.withLock { $0.calls.append(($0.now + max(seconds, 0), block)) }
    }

    /// Moves to the time of the next call and makes it.
    func move() {
        let block = state.withLock { state -> (@Sendable () -> Void)? in
            guard let next = state.calls.indices.min(by: { state.calls[$0].time < state.calls[$1].time }) else {
                return nil
            }
            let call = state.calls.remove(at: next)
            state.now = max(state.now, call.time)
            return call.block
        }
        block?()
    }
}
