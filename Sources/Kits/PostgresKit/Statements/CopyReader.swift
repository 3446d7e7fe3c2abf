/// Parses rows in the binary format of COPY, which arrive in pieces of any size.
///
/// The input is not trusted: data that does not have the format is an error.
package final class CopyReader {
    /// The bytes of a field; nil for NULL.
    package typealias Field = UnsafeRawBufferPointer?

    /// The size of the signature, the flags, and the length of the header extension.
    private static let headerSize = 19

    private let fields: UnsafeMutableBufferPointer<Field>
    private var hasHeader = false
    private var isAtEnd = false
    /// The bytes of an incomplete row.
    private var rest: [UInt8] = []

    package init(fields count: Int) {
        fields = .allocate(capacity: count)
        fields.initialize(repeating: nil)
    }

    deinit { fields.deallocate() }

    /// Calls `body` with each row that the piece completes; the row's bytes are valid until `body` returns.
    package func read(
        _ piece: UnsafeRawBufferPointer, _ body: (UnsafeBufferPointer<Field>) throws -> Void
    ) throws {
        guard rest.isEmpty else {
            rest.append(contentsOf: piece)
            let all = rest
            rest = []
            return try all.withUnsafeBytes { try readRows($0, body) }
        }
        try readRows(piece, body)
    }

    private func readRows(
        _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeBufferPointer<Field>) throws -> Void
    ) throws {
        var place = 0
        if !hasHeader {
            guard bytes.count >= Self.headerSize else { return rest.append(contentsOf: bytes) }
            let extra = Int(bytes.loadUnaligned(fromByteOffset: 15, as: UInt32.self).bigEndian)
            guard bytes[0] == UInt8(ascii: "P"), bytes[6] == 0x0A, extra == 0 else { throw Self.malformed }
            place = Self.headerSize
            hasHeader = true
        }
        while place < bytes.count {
            guard !isAtEnd else { throw Self.malformed }
            guard let end = try readRow(bytes, place) else {
                rest.append(contentsOf: bytes[place...])
                return
            }
            place = end
            if !isAtEnd { try body(UnsafeBufferPointer(fields)) }
        }
    }

    /// Parses a row and returns the offset after it; nil if the row is incomplete.
    private func readRow(_ bytes: UnsafeRawBufferPointer, _ start: Int) throws -> Int? {
        guard bytes.count - start >= 2 else { return nil }
        let count = Int16(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: Int16.self))
        var place = start + 2
        guard count >= 0 else {
            isAtEnd = true
            return place
        }
        guard Int(count) == fields.count else { throw Self.malformed }
        for index in 0..<fields.count {
            guard bytes.count - place >= 4 else { return nil }
            let length = Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int32.self)))
            place += 4
            guard length >= 0 else {
                guard length == -1 else { throw Self.malformed }
                fields[index] = nil
                continue
            }
            guard bytes.count - place >= length else { return nil }
            fields[index] = UnsafeRawBufferPointer(rebasing: bytes[place..<place + length])
            place += length
        }
        return place
    }

    /// The bits of a field of 8 bytes, an integer or a real; nil for other sizes.
    package static func bits(_ field: UnsafeRawBufferPointer) -> UInt64? {
        field.count == 8 ? UInt64(bigEndian: field.loadUnaligned(as: UInt64.self)) : nil
    }

    /// The text of a numeric field; nil for bytes of another format.
    package static func digits(_ field: UnsafeRawBufferPointer) -> String? { PostgresNumeric.text(of: field) }

    private static var malformed: PostgresError {
        PostgresError(.protocolViolation, "the server sent rows that are not of their form", attempt: "copy")
    }
}
