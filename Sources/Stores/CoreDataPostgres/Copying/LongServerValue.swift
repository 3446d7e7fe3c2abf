import CoreDataSQL
import PostgresKit

/// A text or data in a row of a server that is read by parts, which the server cuts out.
final class LongServerValue: LongValue {
    /// More than usual: of what it has compressed the server makes all that stands before the part, too.
    private static let part = 4 * LongValueSize.part

    let tag: UInt8
    let count: Int
    private let size: Int
    private let isEscaped: Bool
    private let query: String
    private let key: Int64
    private let connection: PostgresConnection

    /// - Parameters:
    ///   - bytes: an expression with the bytes, of which the row with the key `$1` has so many.
    ///   - isEscaped: whether the text stands there otherwise than it is (`EscapedText`).
    init(
        _ tag: UInt8, bytes: String, of table: String, key: Int64, size: Int, isEscaped: Bool,
        connection: PostgresConnection
    ) throws {
        self.tag = tag
        self.size = size
        self.isEscaped = isEscaped
        self.key = key
        self.connection = connection
        // The server counts from one.
        query = "SELECT substr(\(bytes), $2::int8::int4, $3::int8::int4) FROM \(table) WHERE Z_PK = $1::int8"
        guard isEscaped else {
            count = size
            return
        }
        var count = 0
        var parts = EscapedText.Parts()
        try Self.readStored(query, key: key, size: size, connection: connection) { count += parts.unescaped($0).count }
        self.count = count + parts.rest.count
    }

    func read(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        guard isEscaped else {
            return try Self.readStored(query, key: key, size: size, connection: connection, body: body)
        }
        var parts = EscapedText.Parts()
        try Self.readStored(query, key: key, size: size, connection: connection) {
            try parts.unescaped($0).withUnsafeBytes(body)
        }
        try parts.rest.withUnsafeBytes(body)
    }

    private static func readStored(
        _ query: String, key: Int64, size: Int, connection: PostgresConnection,
        body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var start = 0
        while start < size {
            let count = min(part, size - start)
            let result = try connection.query(
                query, [.integer(key), .integer(Int64(start) + 1), .integer(Int64(count))])
            guard result.rowCount == 1, result.bytes(0, 0).count == count else {
                throw PostgresError(
                    .protocolViolation, "the server sent a part of a value that is none", attempt: "copy")
            }
            try withExtendedLifetime(result) { try body(result.bytes(0, 0)) }
            start += count
        }
    }
}
