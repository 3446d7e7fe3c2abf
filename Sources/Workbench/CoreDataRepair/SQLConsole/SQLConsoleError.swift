import CoreData
import SQLiteKit

/// Why a statement is not carried out by the console.
package struct SQLConsoleError: Error, Equatable, Sendable {
    package enum Code: String, Sendable {
        /// The database does not understand it, or stops at something in it.
        case badSQL
        /// It would do more than read.
        case refusedSQL
        /// Statements are not allowed for this store.
        case consoleOff
        /// A value for a parameter is missing or is none.
        case badParameter
    }

    package let code: Code
    package let reason: String
    package let hint: String?
    /// The number of Unicode scalars before what the error is about, where that is known.
    package let position: Int?
    /// The line with the place, and a mark below it.
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

/// A place in a statement.
private struct SQLPlace {
    private static let widest = 60

    let position: Int
    let excerpt: String

    /// The place after some bytes; nil where the text has no such place.
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
