import Foundation

/// Who reads a gender into a voice, by the name of AVFoundation's type.
public enum AVSpeechSynthesisVoiceGender: Int, Sendable {
    /// The voice does not say it.
    case unspecified
    /// A man's voice.
    case male
    /// A woman's voice.
    case female
}

/// A voice for a language, by the name of AVFoundation's class. The voices are those of eSpeak NG.
public final class AVSpeechSynthesisVoice: Sendable, Hashable, CustomStringConvertible {
    /// The voice's name in the library, such as `gmw/en-US`.
    public let identifier: String
    /// The tag of BCP 47, such as `en-US`.
    public let language: String
    /// The name for people, in English.
    public let name: String
    /// The gender that the voice imitates.
    public let gender: AVSpeechSynthesisVoiceGender

    init(identifier: String, language: String, name: String, gender: AVSpeechSynthesisVoiceGender) {
        (self.identifier, self.language, self.name, self.gender) = (identifier, language, name, gender)
    }

    /// The voice for a language; nil for `language` means the environment's.
    ///
    /// `en-US` and `en_US` are the same. Where a region has no voice, the language's first one speaks; a language without one gives nil,
    /// and so does a machine without voices. Blocks for some milliseconds when it is first called.
    public convenience init?(language: String?) {
        let wanted = Self.folded(language ?? Self.currentLanguageCode())
        let voices = Self.speechVoices()
        let subtag = wanted.prefix { $0 != "-" }
        let found =
            voices.first { Self.folded($0.language) == wanted }
            ?? voices.first { Self.folded($0.language) == subtag }
            ?? voices.first { Self.folded($0.language).hasPrefix(subtag + "-") }
        guard let found, !subtag.isEmpty else { return nil }
        self.init(found)
    }

    /// The voice of an identifier; nil if it is not installed.
    public convenience init?(identifier: String) {
        guard let found = Self.speechVoices().first(where: { $0.identifier == identifier }) else { return nil }
        self.init(found)
    }

    private convenience init(_ other: AVSpeechSynthesisVoice) {
        self.init(identifier: other.identifier, language: other.language, name: other.name, gender: other.gender)
    }

    /// All voices, in the order of their languages; empty where speech is not installed.
    public static func speechVoices() -> [AVSpeechSynthesisVoice] { VoiceList.voices }

    /// The tag of the environment's language, `en-US` if it says none.
    public static func currentLanguageCode() -> String {
        let environment = ProcessInfo.processInfo.environment
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }
        let name = names.first { !$0.isEmpty }?.prefix { $0 != "." && $0 != "@" }
        guard let name, name != "C", name != "POSIX" else { return "en-US" }
        return name.replacingOccurrences(of: "_", with: "-")
    }

    static func folded(_ tag: String) -> String { tag.lowercased().replacingOccurrences(of: "_", with: "-") }

    public static func == (one: AVSpeechSynthesisVoice, other: AVSpeechSynthesisVoice) -> Bool {
        one.identifier == other.identifier
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

    /// Name and language.
    public var description: String { "\(name) (\(language))" }
}
