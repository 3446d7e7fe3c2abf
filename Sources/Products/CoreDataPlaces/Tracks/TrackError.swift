import Foundation

/// Why a file of tracks was refused, and where.
public struct TrackError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
    /// The kinds of errors.
    public enum Code: String, Sendable {
        /// The file cannot be opened or read.
        case unreadable
        /// The text breaks the rules of XML or JSON.
        case malformed
        /// The file has a document type or entities, which no track needs.
        case entities
        /// It is XML or JSON, and not GPX or GeoJSON.
        case otherFormat
        /// Numbers are not a place.
        case badCoordinate
        /// A number, time or element is not what the format has at this place.
        case badValue
        /// More bytes, points or levels than the limits allow.
        case tooLarge
    }

    /// The kind.
    public let code: Code
    /// What is wrong, in a sentence.
    public let reason: String
    /// What to do about it; empty if nothing can be said.
    public let hint: String
    /// The line, from 1; nil if the file was not read.
    public let line: Int?
    /// The column in bytes, from 1.
    public let column: Int?

    init(_ code: Code, _ reason: String, hint: String = "", line: Int? = nil, column: Int? = nil) {
        (self.code, self.reason, self.hint, self.line, self.column) = (code, reason, hint, line, column)
    }

    /// Line and column, the sentence and the hint.
    public var description: String {
        let place = line.map { "line \($0), column \(column ?? 1): " } ?? ""
        return place + reason + (hint.isEmpty ? "" : "; \(hint)")
    }
    /// Line and column, the sentence and the hint.
    public var errorDescription: String? { description }
}

/// A place in a text.
struct TextPosition: Sendable, Hashable {
    var line = 1
    var column = 1
}
