import Foundation
import ProgramKit

/// Why a text was not spoken.
public struct SpeechError: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
    /// What went wrong.
    public enum Code: Sendable, Equatable {
        /// The program `coredata-speech`, libespeak-ng or its data are not installed.
        case notInstalled
        /// There is no such voice.
        case unknownVoice
        /// The text is longer than is spoken.
        case textTooLong
        /// The program that speaks failed.
        case failed
    }

    /// What went wrong.
    public let code: Code
    /// What happened, in a sentence.
    public let reason: String
    /// What to do about it.
    public let hint: String

    init(_ code: Code, _ reason: String, hint: String) { (self.code, self.reason, self.hint) = (code, reason, hint) }

    init(_ failure: ProgramFailure) {
        self.init(
            failure.isMissing ? .notInstalled : .failed, failure.description,
            hint: failure.isMissing
                ? "install the package of this library that has it, beside the program or on the search path"
                : "speak a shorter text")
    }

    /// The sentence and the hint.
    public var description: String { "\(reason); \(hint)" }
    /// The sentence and the hint.
    public var errorDescription: String? { description }
}
