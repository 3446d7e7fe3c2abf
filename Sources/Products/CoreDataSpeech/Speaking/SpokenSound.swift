import Foundation
import ProgramKit

/// A text as sound: a file in WAV of one channel, and the words with their times.
public struct SpokenSound: Sendable {
    /// The bytes of a file in WAV.
    public let wave: Data
    /// Seconds.
    public let duration: Double
    /// The words of the text, each once, in their order.
    public let words: [SpokenWord]

    /// The most bytes of a text that are spoken at once.
    public static let byteLimit = 200_000

    init(wave: Data, duration: Double, words: [SpokenWord]) {
        (self.wave, self.duration, self.words) = (wave, duration, words)
    }

    /// Speaks an utterance into memory, without playing it.
    ///
    /// - Throws: `SpeechError`; `CancellationError` if the task was cancelled.
    public init(_ utterance: AVSpeechUtterance) async throws {
        self = try await Self.speak(SpokenProperties(utterance))
    }

    static func speak(_ properties: SpokenProperties) async throws -> SpokenSound {
        guard properties.text.utf8.count <= byteLimit else {
            throw SpeechError(
                .textTooLong, "the text has \(properties.text.utf8.count) bytes, more than \(byteLimit)",
                hint: "speak it in parts")
        }
        guard
            let voice = properties.voice ?? AVSpeechSynthesisVoice(language: nil)
                ?? AVSpeechSynthesisVoice(language: "en")
        else { throw try missing() }
        guard AVSpeechSynthesisVoice.speechVoices().contains(voice) else {
            throw SpeechError(
                .unknownVoice, "there is no voice '\(voice.identifier)'", hint: "use one of speechVoices()")
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("speech-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("speech.wav")
        let output: ProgramOutput
        do {
            output = try await VoiceList.program.output(
                [
                    "speak", voice.identifier, String(properties.wordsPerMinute), String(properties.pitch),
                    String(properties.volume), file.path,
                ], input: Data(properties.text.replacing("\0", with: " ").utf8),
                limits: ProgramLimits(
                    seconds: 120, processorSeconds: 120, memory: 3 << 30, output: 16 << 20, fileSize: 1 << 30))
        } catch let failure as ProgramFailure {
            throw SpeechError(failure)
        }
        guard output.status == 0, let wave = try? Data(contentsOf: file), wave.count >= 44 else {
            throw SpeechError(
                .failed, "the text was not spoken: \(output.standardError.trimmingCharacters(in: .newlines))",
                hint: "speak another text")
        }
        let rate = wave[(wave.startIndex + 24)..<(wave.startIndex + 28)].reversed().reduce(0) { $0 << 8 | Int($1) }
        let duration = Double((wave.count - 44) / 2) / Double(max(rate, 1))
        let events = output.text.split(separator: "\n").compactMap { WordEvent($0) }
        return SpokenSound(
            wave: wave, duration: duration,
            words: SpokenWords.words(of: properties.text, events, duration: duration))
    }

    /// Why there is no voice.
    private static func missing() throws -> SpeechError {
        do {
            let said = try VoiceList.program.run(["voices"]).standardError
            return SpeechError(
                .notInstalled, "there are no voices: \(said.trimmingCharacters(in: .newlines))",
                hint: "install them with 'apt-get install libespeak-ng1 espeak-ng-data'")
        } catch let failure as ProgramFailure {
            return SpeechError(failure)
        }
    }
}
