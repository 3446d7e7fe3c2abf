import Foundation

/// Why a library, a playlist or a file of a library cannot be used, and what to do.
public struct MediaLibraryError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
    /// The kinds of failures.
    public enum Code: String, Sendable, Codable {
        /// The folder is not there or cannot be read; the rows of its files are left as they are.
        case folderUnavailable
        /// A folder has more files than a scan takes.
        case tooManyFiles
        /// The store has a model without the entities of a media library.
        case notALibrary
        /// A playlist file is too large or cannot be read or written.
        case unusablePlaylist
        /// An item is not in the library, or its file is not there any more.
        case itemUnavailable
        /// A program that does this is not installed, or failed.
        case toolFailed
        /// There is no default library.
        case noLibrary
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, in a sentence for people.
    public let reason: String
    /// What to do about it.
    public let hint: String

    package init(_ code: Code, _ reason: String, hint: String) {
        (self.code, self.reason, self.hint) = (code, reason, hint)
    }

    /// The sentence and the hint.
    public var description: String { "\(reason); \(hint)" }
    /// The sentence and the hint.
    public var errorDescription: String? { description }
}
