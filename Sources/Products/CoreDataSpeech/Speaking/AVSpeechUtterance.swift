import Foundation

/// The slowest rate: 80 words a minute.
public let AVSpeechUtteranceMinimumSpeechRate: Float = 0
/// The fastest rate: 450 words a minute.
public let AVSpeechUtteranceMaximumSpeechRate: Float = 1
/// The usual rate: 175 words a minute.
public let AVSpeechUtteranceDefaultSpeechRate: Float = 0.5

/// A text to speak and how, by the name of AVFoundation's class.
///
/// A synthesizer reads the properties when it is given the utterance; later changes have no effect on what it speaks.
public final class AVSpeechUtterance: @unchecked Sendable {
    /// The text.
    public let speechString: String
    /// The voice; nil for that of the environment's language.
    public var voice: AVSpeechSynthesisVoice?
    /// From `AVSpeechUtteranceMinimumSpeechRate` to `AVSpeechUtteranceMaximumSpeechRate`.
    public var rate = AVSpeechUtteranceDefaultSpeechRate
    /// From 0.5 to 2.
    public var pitchMultiplier: Float = 1
    /// From 0 to 1.
    public var volume: Float = 1
    /// Seconds of silence before the text.
    public var preUtteranceDelay: TimeInterval = 0
    /// Seconds of silence after it, before the next utterance.
    public var postUtteranceDelay: TimeInterval = 0

    /// An utterance of a text with the usual properties.
    public init(string: String) { speechString = string }
}

/// What a synthesizer took of an utterance.
struct SpokenProperties: Sendable {
    let text: String
    let voice: AVSpeechSynthesisVoice?
    let wordsPerMinute: Int
    /// From 0 to 100.
    let pitch: Int
    /// From 0 to 100.
    let volume: Int
    let before: Double
    let after: Double

    init(_ utterance: AVSpeechUtterance) {
        func bounded(_ number: Float, _ range: ClosedRange<Float>, _ usual: Float) -> Float {
            number.isFinite ? min(max(number, range.lowerBound), range.upperBound) : usual
        }
        func seconds(_ number: Double) -> Double { number.isFinite ? min(max(number, 0), 3_600) : 0 }
        text = utterance.speechString
        voice = utterance.voice
        let rate = bounded(utterance.rate, 0...1, 0.5)
        // Two straight lines, so that the usual rate is the library's.
        wordsPerMinute = Int(rate <= 0.5 ? 80 + rate * 2 * 95 : 175 + (rate - 0.5) * 2 * 275)
        let pitch = bounded(utterance.pitchMultiplier, 0.5...2, 1)
        self.pitch = Int(pitch <= 1 ? (pitch - 0.5) * 100 : 50 + (pitch - 1) * 50)
        volume = Int(bounded(utterance.volume, 0...1, 1) * 100)
        (before, after) = (seconds(utterance.preUtteranceDelay), seconds(utterance.postUtteranceDelay))
    }
}
