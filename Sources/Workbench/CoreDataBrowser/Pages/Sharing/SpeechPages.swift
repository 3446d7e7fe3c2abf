import CoreData
import CoreDataSpeech

/// `GET /speech`: the languages that the server speaks.
struct SpeechPage: Page {
    let route = Route("GET /speech")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let voices = await BrowsedStore.voices()
        return .json(.object([("languages", .array(voices.map { .string($0.language) }))]))
    }
}

/// `POST /speech`: a text as sound, a file in WAV. `{"text", "language"}`; without a language that of the server.
struct SpeakingPage: Page {
    let route = Route("POST /speech")
    /// The most characters that are spoken at once: some minutes.
    private static let limit = 5_000

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let parts = JSONParts(try await call.json())
        let utterance = AVSpeechUtterance(string: String(try parts.text("text").prefix(Self.limit)))
        if let language = try parts.optionalText("language") {
            utterance.voice = AVSpeechSynthesisVoice(language: language)
        }
        do {
            let sound = try await SpokenSound(utterance)
            return BrowserResponse(headers: ["Content-Type": "audio/wav"], body: BrowserBody(Array(sound.wave)))
        } catch let error as SpeechError {
            throw BrowserFailure(
                error.code == .notInstalled ? 501 : error.code == .failed ? 500 : 422, code: "speech",
                reason: error.reason, hint: error.hint)
        }
    }
}

extension BrowsedStore {
    /// The voices, which are asked of a program once.
    fileprivate static func voices() async -> [AVSpeechSynthesisVoice] {
        (try? await onOwnThread { AVSpeechSynthesisVoice.speechVoices() }) ?? []
    }
}
