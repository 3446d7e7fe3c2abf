import Foundation
import ProgramKit

/// Why no code was read or made.
public struct CodeError: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
    /// What went wrong.
    public enum Code: Sendable, Equatable {
        /// A program is not installed; the hint names the package.
        case missingTool
        /// A program crashed, hung or used more than it may.
        case toolFailed
        /// The data is no picture, or a damaged one.
        case unreadablePicture
        /// The picture has more bytes or pixels than are read.
        case pictureTooLarge
        /// The text cannot be written as a code of the type.
        case unwritableText
        /// The code that was made reads as another text.
        case differentText
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
                ? "install it with 'apt-get install \(failure.package)'" : "try another picture or text")
    }

    /// The sentence and the hint.
    public var description: String { "\(reason); \(hint)" }
    /// The sentence and the hint.
    public var errorDescription: String? { description }
}
