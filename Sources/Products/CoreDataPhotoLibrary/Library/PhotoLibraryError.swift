import Foundation

/// Why a photo library cannot be opened, read or changed.
public struct PhotoLibraryError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
    /// The kinds of failures.
    public enum Code: String, Sendable, Hashable {
        /// The person does not allow it.
        case accessDenied
        /// There is no asset or album of the identifier any more.
        case notFound
        /// The folder or the store cannot be read or written.
        case unavailable
        /// What is added is no picture or film of a known type.
        case unknownType
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, in a sentence.
    public let reason: String
    /// What to do about it.
    public let hint: String

    init(_ code: Code, _ reason: String, hint: String) { (self.code, self.reason, self.hint) = (code, reason, hint) }

    /// The sentence and the hint.
    public var description: String { "\(reason); \(hint)" }
    /// The sentence and the hint.
    public var errorDescription: String? { description }
}
