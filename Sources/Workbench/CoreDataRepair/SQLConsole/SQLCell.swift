import CoreData
import SQLiteKit

/// A value of a result as it is shown: long texts and blobs are cut.
package enum SQLCell: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    /// The beginning of a text, and how many bytes all of it has.
    case cutText(String, bytes: Int)
    /// The first bytes of a blob, and how many it has.
    case blob([UInt8], bytes: Int)

    /// How many bytes of a text are shown, and how many of a blob.
    package static let (mostOfText, mostOfBlob) = (4_096, 256)

    init(_ statement: Statement, _ column: Int) {
        switch statement.columnType(column) {
        case .null: self = .null
        case .integer: self = .integer(statement.int64(column))
        case .real: self = .real(statement.double(column))
        case .text: self = Self.text(statement.textBytes(column))
        case .blob:
            let bytes = statement.blobBytes(column)
            self = .blob(Array(bytes.prefix(Self.mostOfBlob)), bytes: bytes.count)
        }
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> SQLCell {
        guard bytes.count > mostOfText else { return .text(String(decoding: bytes, as: UTF8.self)) }
        var end = mostOfText
        // Not inside of a character.
        while end > mostOfText - 4, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return .cutText(String(decoding: bytes[..<end], as: UTF8.self), bytes: bytes.count)
    }

    /// How much of an answer the cell takes.
    var size: Int {
        switch self {
        case .null, .integer, .real: 16
        case .text(let text), .cutText(let text, _): 16 + text.utf8.count
        case .blob(let bytes, _): 16 + 2 * bytes.count
        }
    }

    /// What is shown of a blob, as digits.
    static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }

    /// A number, a text or null; a cut text is `{"text", "bytes"}`, a blob `{"hex", "bytes"}`.
    package var json: JSONValue {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let text): .string(text)
        case .cutText(let text, let bytes): .object([("text", .string(text)), ("bytes", .count(bytes))])
        case .blob(let shown, let bytes): .object([("hex", .string(Self.hex(shown))), ("bytes", .count(bytes))])
        }
    }

    /// The cell in one text, nil for NULL; `…` stands at the end of what was cut.
    package var text: String? {
        switch self {
        case .null: nil
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): text
        case .cutText(let text, _): text + "…"
        case .blob(let shown, let bytes): "x'\(Self.hex(shown))'" + (shown.count < bytes ? "…" : "")
        }
    }

    /// The date that a number is in a column of dates, in ISO 8601; nil for what is not a number.
    package var date: String? {
        switch self {
        case .integer(let number): ISODate.text(Date(timeIntervalSinceReferenceDate: Double(number)))
        case .real(let number): ISODate.text(Date(timeIntervalSinceReferenceDate: number))
        default: nil
        }
    }
}
