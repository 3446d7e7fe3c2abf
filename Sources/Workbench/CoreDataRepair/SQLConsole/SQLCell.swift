import CoreData
import SQLiteKit

/// A value of an answer; long texts and blobs are truncated.
package enum SQLCell: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    /// The beginning of a text that was truncated, and the number of bytes of the whole text.
    case cutText(String, bytes: Int)
    /// The first bytes of a blob, and the number of bytes of the whole blob.
    case blob([UInt8], bytes: Int)

    /// The greatest numbers of bytes that a cell keeps of a text and of a blob.
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
        // Moves the end to the start of a UTF-8 sequence, so that no character is split.
        while end > mostOfText - 4, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return .cutText(String(decoding: bytes[..<end], as: UTF8.self), bytes: bytes.count)
    }

    /// The approximate number of bytes that count towards the size limit of the answer.
    var size: Int {
        switch self {
        case .null, .integer, .real: 16
        case .text(let text), .cutText(let text, _): 16 + text.utf8.count
        case .blob(let bytes, _): 16 + 2 * bytes.count
        }
    }

    /// Bytes as hexadecimal digits in upper case.
    static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }

    /// A number, a text or null; a truncated text is `{"text", "bytes"}`, a blob `{"hex", "bytes"}`.
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

    /// The cell as a text; nil for NULL. A truncated value ends with `…`.
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

    /// The cell's number as a date in ISO 8601, if its column stores dates; nil for a cell that is not a number.
    package var date: String? {
        switch self {
        case .integer(let number): ISODate.text(Date(timeIntervalSinceReferenceDate: Double(number)))
        case .real(let number): ISODate.text(Date(timeIntervalSinceReferenceDate: number))
        default: nil
        }
    }
}
