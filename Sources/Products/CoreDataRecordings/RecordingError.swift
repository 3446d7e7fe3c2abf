import Foundation
import ProgramKit

/// Why a sound or a film was not read, recorded or changed.
public struct RecordingError: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
    /// What went wrong.
    public enum Code: Sendable, Equatable {
        /// A program is not installed; the hint names the package.
        case missingTool
        /// A program crashed, hung or used more than it may.
        case toolFailed
        /// The file is no sound and no film, or a damaged one.
        case unreadable
        /// A time lies beyond the end, or a range is empty.
        case badTime
        /// There is a file already that may not be replaced.
        case exists
        /// A number is outside of what is recorded.
        case badSettings
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
            failure.isMissing ? .missingTool : .toolFailed,
            failure.isMissing ? "'\(failure.program)' is not installed" : failure.description,
            hint: failure.isMissing
                ? "install it with 'apt-get install \(failure.package)'" : "try a shorter or smaller file")
    }

    static let unreadable = RecordingError(
        .unreadable, "the file is no sound and no film that can be decoded", hint: "give a complete file")

    /// The sentence and the hint.
    public var description: String { "\(reason); \(hint)" }
    /// The sentence and the hint.
    public var errorDescription: String? { description }
}
