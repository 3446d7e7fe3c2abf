import Foundation

/// Why a gazetteer was not made or opened.
public struct GazetteerError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
    /// The kinds of errors.
    public enum Code: String, Sendable {
        /// A file cannot be read.
        case unreadable
        /// A line of the table, or the file of borders, is not what it should be.
        case badSource
        /// The file is no gazetteer, or cannot be made.
        case badStore
    }

    /// The kind.
    public let code: Code
    /// The name of the file.
    public let file: String
    /// The line, from 1; nil if there is none.
    public let line: Int?
    /// What is wrong.
    public let reason: String
    /// What to do about it.
    public let hint: String

    init(_ code: Code, _ file: URL, line: Int? = nil, _ reason: String, hint: String) {
        (self.code, self.file, self.line, self.reason) = (code, file.lastPathComponent, line, reason)
        self.hint = hint
    }

    /// The file and its line, the sentence and the hint.
    public var description: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(reason); \(hint)" }
    /// The file and its line, the sentence and the hint.
    public var errorDescription: String? { description }
}
