import Foundation

/// When a synthesizer pauses or stops.
public enum AVSpeechBoundary: Int, Sendable {
    /// At once.
    case immediate
    /// When the word that is spoken has ended.
    case word
}

/// What a synthesizer reports, by the name of AVFoundation's protocol. All methods have empty implementations.
public protocol AVSpeechSynthesizerDelegate: AnyObject, Sendable {
    /// The first sound of an utterance begins.
    func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didStart utterance: AVSpeechUtterance)
    /// An utterance was spoken to its end.
    func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didFinish utterance: AVSpeechUtterance)
    /// An utterance was paused.
    func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didPause utterance: AVSpeechUtterance)
    /// A paused utterance goes on.
    func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didContinue utterance: AVSpeechUtterance)
    /// An utterance was stopped before its end, or was waiting when all were stopped.
    func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didCancel utterance: AVSpeechUtterance)
    /// A word begins. The ranges of an utterance cover its words in their order, each once.
    func speechSynthesizer(
        _ synthesizer: AVSpeechSynthesizer, willSpeakRangeOfSpeechString characterRange: NSRange,
        utterance: AVSpeechUtterance)
    /// An utterance could not be spoken; `didCancel` follows. Apple's protocol has no such method.
    func speechSynthesizer(
        _ synthesizer: AVSpeechSynthesizer, didFail utterance: AVSpeechUtterance, error: any Error)
}

extension AVSpeechSynthesizerDelegate {
    public func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didStart utterance: AVSpeechUtterance) {}
    public func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didFinish utterance: AVSpeechUtterance) {}
    public func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didPause utterance: AVSpeechUtterance) {}
    public func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didContinue utterance: AVSpeechUtterance) {}
    public func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didCancel utterance: AVSpeechUtterance) {}
    public func speechSynthesizer(
        _ synthesizer: AVSpeechSynthesizer, willSpeakRangeOfSpeechString characterRange: NSRange,
        utterance: AVSpeechUtterance
    ) {}
    public func speechSynthesizer(
        _ synthesizer: AVSpeechSynthesizer, didFail utterance: AVSpeechUtterance, error: any Error
    ) {}
}
