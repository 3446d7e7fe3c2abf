import CoreData
import SQLiteKit

/// The reason for which the console does not run a statement.
package struct SQLConsoleError: Error, Equatable, Sendable {
    package enum Code: String, Sendable {
        /// The database cannot compile the statement, or running it fails or takes too long.
        case badSQL
        /// The statement would do more than read, or returns no rows.
        case refusedSQL
        /// Statements are not allowed for this store.
        case consoleOff
        /// A value for a parameter is missing or invalid.
        case badParameter
    }

    package let code: Code
    package let reason: String
    package let hint: String?
    /// The number of Unicode scalars of the statement before the place of the error; nil if the place is unknown.
    package let position: Int?
    /// The statement's line with the error, and below it a line with `^` under the place; nil if the place is unknown.
    package let excerpt: String?

    package init(_ code: Code, _ reason: String, hint: String? = nil, in sql: String = "", at offset: Int? = nil) {
        self.code = code
        self.reason = PrintableText.escaped(reason, limit: 500)
        self.hint = hint
        let place = offset.flatMap { SQLPlace($0, in: sql) }
        position = place?.position
        excerpt = place?.excerpt
    }

    /// The error as the command line prints it.
    package var inspectionError: InspectionError {
        let place = position.map { "at character \($0 + 1): " } ?? ""
        return InspectionError(.badSQL, subject: "SQL", cause: place + reason, hint: hint, excerpt: excerpt)
    }
}

/// The place of an error in a statement.
private struct SQLPlace {
    private static let widest = 60

    let position: Int
    let excerpt: String

    /// The place after `offset` UTF-8 bytes of the statement; nil if the statement is shorter.
    init?(_ offset: Int, in sql: String) {
        guard offset >= 0, offset <= sql.utf8.count else { return nil }
        let bytes = Array(sql.utf8)
        let before = Array(String(decoding: bytes[..<offset], as: UTF8.self).unicodeScalars)
        let after = Array(String(decoding: bytes[offset...], as: UTF8.self).unicodeScalars)
        position = before.count
        let isBreak: (Unicode.Scalar) -> Bool = { $0 == "\n" || $0 == "\r" }
        let start = Array(
            (before.lastIndex(where: isBreak).map { before[($0 + 1)...] } ?? before[...]).suffix(Self.widest))
        let end = after.prefix { !isBreak($0) }.prefix(Self.widest)
        var text = String.UnicodeScalarView()
        text.append(contentsOf: start)
        text.append(contentsOf: end)
        let blanks = String(start.map { $0 == "\t" ? Character("\t") : Character(" ") })
        excerpt = "\(String(text))\n\(blanks)^"
    }
}
