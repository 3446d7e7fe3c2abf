import CoreData
import CoreDataBrowser
import CoreDataSpeech
import StoreContract
import Testing

@Suite(
    "The pages of speech",
    .enabled(if: AVSpeechSynthesizer.isAvailable, "libespeak-ng1 and espeak-ng-data are not installed"))
struct SpeechPageTests {
    private let browser = Browser()

    private func ask(_ method: String, _ body: String = "") async throws -> (BrowserResponse, [UInt8]) {
        let response = await browser.respond(
            to: BrowserRequest(
                method: method, target: "/speech", headers: ["Content-Type": "application/json"],
                body: BrowserBody(Array(body.utf8)), user: BrowserUser(name: "eva")))
        return (response, try await response.body.bytes(limit: 1 << 26))
    }

    @Test("the server names its languages, and speaks a text as a file in WAV (MEDIA-15)")
    func textsAreSpoken() async throws {
        let (_, languages) = try await ask("GET")
        #expect(String(decoding: languages, as: UTF8.self).contains(#""en-GB""#))
        let (response, wave) = try await ask("POST", #"{"text": "Good morning", "language": "en-GB"}"#)
        #expect(response.status == 200 && response.headers["Content-Type"] == "audio/wav")
        #expect(wave.prefix(4) == ArraySlice("RIFF".utf8) && wave.count > 10_000)
        let (_, german) = try await ask("POST", #"{"text": "Good morning", "language": "de"}"#)
        #expect(german != wave)
    }

    @Test("a request without a text is refused, and a language without a voice is spoken by another (MEDIA-15)")
    func badRequests() async throws {
        #expect(try await ask("POST", "{}").0.status == 422)
        #expect(try await ask("POST", "no JSON").0.status == 422)
        #expect(try await ask("POST", #"{"text": "x", "language": "xx-XX"}"#).0.status == 200)
        let long = String(repeating: "word ", count: 2_000)
        #expect(try await ask("POST", #"{"text": "\#(long)"}"#).1.count < 60_000_000)
    }
}
