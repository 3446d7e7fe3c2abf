import CoreDataSpeech
import Dispatch
import Foundation
import TestBasics
import Testing

/// Utterances that are spoken, with a clock that the tests move.
@Suite(.enabled(if: AVSpeechSynthesizer.isAvailable, "libespeak-ng1 and espeak-ng-data are not installed"))
struct SynthesizerTests {
    private let recorder = SpeechRecorder()
    private let sink = SilentSink()
    private let clock = HandClock()

    private func synthesizer() -> AVSpeechSynthesizer {
        let synthesizer = AVSpeechSynthesizer(
            sink: sink, clock: clock, delegateQueue: DispatchQueue(label: "SynthesizerTests"))
        synthesizer.delegate = recorder
        return synthesizer
    }

    private func utterance(_ text: String, language: String = "en-GB") -> AVSpeechUtterance {
        let utterance = AVSpeechUtterance(string: text)
        utterance.voice = AVSpeechSynthesisVoice(language: language)
        return utterance
    }

    @Test("MEDIA-15: start, the words in their order, and finish are reported")
    func wordsAreReportedInOrder() async {
        let synthesizer = synthesizer()
        synthesizer.speak(utterance("It's a well-known fact: 1,234 units — of I/O, 3.5% and no more."))
        #expect(synthesizer.isSpeaking)
        let expected = [
            "start", "It's", "a", "well-known", "fact", "1,234", "units", "of", "I/O", "3.5%", "and", "no", "more",
            "finish",
        ]
        #expect(await recorder.events(expected.count, moving: clock) == expected)
        #expect(!synthesizer.isSpeaking)
        #expect(sink.calls == ["play 0.0"])
        #expect(clock.now > 3 && clock.now < 15)
    }

    @Test("MEDIA-15: utterances are spoken one after the other")
    func queue() async {
        let synthesizer = synthesizer()
        let second = utterance("two")
        second.preUtteranceDelay = 2
        synthesizer.speak(utterance("one"))
        synthesizer.speak(second)
        #expect(
            await recorder.events(6, moving: clock) == ["start", "one", "finish", "start", "two", "finish"])
        #expect(sink.calls.filter { $0 == "play 0.0" }.count == 2)
    }

    @Test("MEDIA-15: pausing at a word, and going on, continue at the place where it was paused")
    func pausing() async {
        let synthesizer = synthesizer()
        synthesizer.speak(utterance("one two three"))
        _ = await recorder.events(2, moving: clock)
        #expect(synthesizer.pauseSpeaking(at: .word))
        #expect(await recorder.events(3, moving: clock) == ["start", "one", "pause"])
        #expect(synthesizer.isPaused && synthesizer.isSpeaking)
        #expect(!synthesizer.pauseSpeaking(at: .immediate))
        #expect(synthesizer.continueSpeaking())
        #expect(!synthesizer.continueSpeaking())
        #expect(
            await recorder.events(7, moving: clock)
                == ["start", "one", "pause", "continue", "two", "three", "finish"])
        #expect(sink.calls.count == 3 && sink.calls[1] == "stop" && sink.calls[2] != "play 0.0", "\(sink.calls)")
    }

    @Test("MEDIA-15: stopping cancels what is spoken and what waits")
    func stopping() async {
        let synthesizer = synthesizer()
        synthesizer.speak(utterance("one two three"))
        synthesizer.speak(utterance("four"))
        _ = await recorder.events(2, moving: clock)
        #expect(synthesizer.stopSpeaking(at: .immediate))
        #expect(await recorder.events(4) == ["start", "one", "cancel", "cancel"])
        #expect(!synthesizer.isSpeaking)
        #expect(!synthesizer.stopSpeaking(at: .immediate))
        // What the clock calls late changes nothing.
        for _ in 0..<5 { clock.move() }
        synthesizer.speak(utterance("five"))
        #expect(await recorder.events(7, moving: clock).suffix(3) == ["start", "five", "finish"])
    }

    @Test("MEDIA-15: stopping while the sound is made cancels without a start")
    func stoppingBeforeTheStart() async {
        let synthesizer = synthesizer()
        synthesizer.speak(utterance("never heard"))
        #expect(synthesizer.stopSpeaking(at: .word))
        #expect(await recorder.events(1) == ["cancel"])
        try? await Task.sleep(nanoseconds: 300_000_000)
        #expect(recorder.events == ["cancel"] && sink.calls == ["stop"])
    }

    @Test("MEDIA-15: rate, pitch and volume change the sound")
    func properties() async throws {
        let usual = try await SpokenSound(utterance("The same words again"))
        let changed = utterance("The same words again")
        changed.rate = AVSpeechUtteranceMaximumSpeechRate
        let fast = try await SpokenSound(changed)
        #expect(fast.duration < usual.duration * 0.7)
        changed.rate = .nan
        changed.volume = 0
        changed.pitchMultiplier = 9
        let silent = try await SpokenSound(changed)
        #expect(silent.wave.dropFirst(44).allSatisfy { $0 == 0 })
        #expect(usual.wave.dropFirst(44).contains { $0 != 0 })
        changed.volume = 1
        #expect(try await SpokenSound(changed).wave != usual.wave)
    }

    @Test("MEDIA-15: voices are found by tags in all their forms")
    func voices() throws {
        #expect(AVSpeechSynthesisVoice(language: "en_US")?.language == "en-US")
        #expect(AVSpeechSynthesisVoice(language: "DE-de")?.language == "de")
        #expect(AVSpeechSynthesisVoice(language: "fr-CA")?.language.hasPrefix("fr-") == true)
        #expect(AVSpeechSynthesisVoice(language: "xx-YY") == nil)
        #expect(AVSpeechSynthesisVoice(language: "") == nil)
        #expect(AVSpeechSynthesisVoice(identifier: "../../etc/passwd") == nil)
        let one = try #require(AVSpeechSynthesisVoice(language: "en-GB"))
        #expect(AVSpeechSynthesisVoice(identifier: one.identifier) == one)
        #expect(AVSpeechSynthesisVoice.speechVoices().count > 50)
    }

    @Test(
        "MEDIA-15: texts in other scripts, with marks of SSML, zeros and control characters are spoken as texts",
        arguments: [
            ("مرحبا بالعالم", "ar"), ("Größe 12 °C", "de"), ("a <break time='5000s'/> b", "en-GB"),
            ("a\0b \u{1}", "en-GB"),
            ("", "en-GB"), ("--help", "en-GB"), ("你好，世界", "cmn"), (String(repeating: "word ", count: 400), "en-GB"),
        ])
    func otherTexts(text: String, language: String) async throws {
        let sound = try await SpokenSound(utterance(text, language: language))
        #expect(sound.duration < 300)
        #expect(sound.words.map(\.time) == sound.words.map(\.time).sorted())
        #expect(sound.words.allSatisfy { NSMaxRange($0.range) <= (text as NSString).length })
    }

    @Test("MEDIA-15: a text that is too long is refused, and the utterance cancelled with the reason")
    func longText() async {
        let synthesizer = synthesizer()
        synthesizer.speak(utterance(String(repeating: "x", count: SpokenSound.byteLimit + 1)))
        let events = await recorder.events(2, moving: clock)
        #expect(events.count == 2 && events.first?.contains("in parts") == true && events.last == "cancel")
        #expect(!synthesizer.isSpeaking)
    }
}
