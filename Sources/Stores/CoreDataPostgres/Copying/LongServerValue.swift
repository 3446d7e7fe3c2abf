import CoreDataSQL
import PostgresKit

/// A text or data in a row on a server that is read in parts, with `substr`.
final class LongServerValue: LongValue {
    /// Larger than usual: for each part of a compressed value, the server decompresses everything before that part
    /// again.
    private static let part = 4 * LongValueSize.part

    let tag: UInt8
    let count: Int
    private let size: Int
    private let isEscaped: Bool
    private let query: String
    private let key: Int64
    private let connection: PostgresConnection

    /// - Parameters:
    ///   - bytes: an SQL expression for the bytes; in the row with the key `$1` there are `size` of them.
    ///   - isEscaped: whether the text is stored in the form of `EscapedText`.
    init(
        _ tag: UInt8, bytes: String, of table: String, key: Int64, size: Int, isEscaped: Bool,
        connection: PostgresConnection
    ) throws {
        self.tag = tag
        self.size = size
        self.isEscaped = isEscaped
        self.key = key
        self.connection = connection
        // `substr` counts from 1.
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
