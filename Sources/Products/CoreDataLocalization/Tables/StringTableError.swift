import Foundation

/// Why a file of texts cannot be read, with the place in it.
public struct StringTableError: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
    /// The kinds of failures.
    public enum Code: Sendable, Equatable {
        /// The bytes are not text in UTF-8, or in UTF-16 with a mark.
        case encoding
        /// The text does not follow the grammar of its format.
        case syntax
        /// The content has another structure than the format prescribes.
        case structure
        /// The file is larger, or nested deeper, than is read.
        case tooLarge
        /// Variables of a text contain each other in a circle.
        case circularVariables
        /// The file cannot be read.
        case unreadable
    }

    /// The kind of failure.
    public let code: Code
    /// The file, as it is named to the reader; empty for bytes without a file.
    public internal(set) var file: String
    /// The line, counted from 1; 0 if the failure is of the whole file.
    public let line: Int
    /// The column in characters, counted from 1; 0 if the failure is of the whole file.
    public let column: Int
    /// What is wrong, in a sentence for people, with the key where there is one.
    public let reason: String

    init(_ code: Code, file: String = "", line: Int = 0, column: Int = 0, _ reason: String) {
        (self.code, self.file, self.line, self.column, self.reason) = (code, file, line, column, reason)
    }

    /// The place and the reason.
    public var description: String {
        let place =
            line > 0 ? "\(file.isEmpty ? "line " : file + ":")\(line):\(column): " : file.isEmpty ? "" : file + ": "
        return place + reason
    }
    /// The same as `description`.
    public var errorDescription: String? { description }

    /// A key as messages show it: of one line, and not long.
    static func shown(_ key: String) -> String {
        let plain = key.unicodeScalars.prefix(80).map {
            $0.properties.generalCategory == .control ? "?" : Character($0)
        }
        return "'" + String(plain) + (key.unicodeScalars.count > 80 ? "…'" : "'")
    }
}

/// Limits of files of texts.
enum TableLimits {
    /// The greatest size of a file in bytes.
    static let bytes = 64 << 20
    /// The greatest number of dictionaries and arrays within each other.
    static let depth = 64
}
