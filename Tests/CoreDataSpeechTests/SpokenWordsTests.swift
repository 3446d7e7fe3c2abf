import Foundation
import Testing

@testable import CoreDataSpeech

/// Words of a text made of the library's events.
@Suite struct SpokenWordsTests {
    private func words(_ text: String, _ events: [(Int, Int, Double)], duration: Double = 10) -> [String] {
        SpokenWords.words(
            of: text, events.map { WordEvent(position: $0.0, length: $0.1, time: $0.2) }, duration: duration
        ).map { "\((text as NSString).substring(with: $0.range)) \($0.time)" }
    }

    @Test("MEDIA-15: an event within a word stands for the whole word")
    func eventsAreWidened() {
        #expect(words("It's done.", [(0, 2, 0.1), (5, 4, 0.5)]) == ["It's 0.1", "done 0.5"])
    }

    @Test("MEDIA-15: the five events of a number are one, and what goes backwards or has no length is left out")
    func doubledEvents() {
        let events = [(0, 0, 0.0), (0, 5, 1.0), (0, 5, 1.2), (2, 3, 1.4), (0, 1, 1.5), (6, 5, 2.0), (0, 5, 3.0)]
        #expect(words("1,234 units", events) == ["1,234 1.0", "units 2.0"])
    }

    @Test("MEDIA-15: words without an event get times between their neighbours'")
    func missingWords() {
        #expect(words("a b c d", [(0, 1, 1), (6, 1, 4)]) == ["a 1.0", "b 2.0", "c 3.0", "d 4.0"])
        #expect(words("a b", [], duration: 3) == ["a 0.0", "b 1.5"] || words("a b", [], duration: 3).count == 2)
    }

    @Test("MEDIA-15: a range that starts early belongs to the word that it reaches")
    func earlyRange() {
        #expect(words("on — of it", [(0, 2, 0), (3, 5, 1), (8, 2, 2)]) == ["on 0.0", "of 1.0", "it 2.0"])
        // It begins right behind a word that has no range of its own.
        #expect(words("a bc", [(1, 3, 2)]).last == "bc 2.0")
    }

    @Test("MEDIA-15: ranges count as NSString does, beyond the first plane too")
    func rangesInUTF16() {
        let text = "🧑‍🚀 flies"
        let found = SpokenWords.words(of: text, [WordEvent(position: 4, length: 5, time: 1)], duration: 2)
        #expect(found.last.map { (text as NSString).substring(with: $0.range) } == "flies")
    }

    @Test("MEDIA-15: events beyond the text or the sound, and texts without words, are left out")
    func strangeEvents() {
        #expect(words("", [(0, 4, 0)]).isEmpty)
        #expect(words("— … !", [(0, 4, 0)]).isEmpty)
        #expect(words("one", [(Int.max - 4, 4, 0), (-7, 3, 0), (0, 3, 99)]).count == 1)
    }

    @Test("MEDIA-15: random events give each word once, in order, with times that do not decrease")
    func randomEvents() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                ["it's", "—", "1,234", "well-known", "a", "…", "日本"].randomElement(using: &random) ?? ""
            }.joined(separator: " ")
            let events = (0..<20).map { _ in
                WordEvent(
                    position: .random(in: -3...60, using: &random), length: .random(in: 0...6, using: &random),
                    time: .random(in: 0...9, using: &random))
            }
            let found = SpokenWords.words(of: text, events, duration: 8)
            let expected = text.split(separator: " ").filter { $0 != "—" && $0 != "…" }.map(String.init)
            #expect(found.map { (text as NSString).substring(with: $0.range) } == expected)
            #expect(found.map(\.time) == found.map(\.time).sorted(), "\(text) \(events)")
        }
    }
}
