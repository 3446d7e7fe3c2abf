/// The value of a parameter, usually sent in the binary format.
package enum PostgresParameter: Sendable {
    case null(oid: UInt32)
    case integer(Int64)
    /// A double, sent bit for bit.
    case real(Double)
    /// A text; the server refuses one that contains U+0000.
    case text(String)
    case bytes([UInt8])
    /// An array of 64-bit integers.
    case integers([Int64])
    /// Bytes that already have the binary format of a type.
    case raw(oid: UInt32, [UInt8])
    /// A value in the text format, whose type the server infers from the statement; nil for NULL.
    case untyped(String?)

    var oid: UInt32 {
        switch self {
        case .null(let oid), .raw(let oid, _): oid
        case .integer: PostgresType.int8
        case .real: PostgresType.float8
        case .text: PostgresType.text
        case .bytes: PostgresType.bytea
        case .integers: PostgresType.int8Array
        case .untyped: 0
        }
    }

    /// The bytes that are sent; nil for NULL.
    var bytes: [UInt8]? {
        switch self {
        case .null: nil
        case .untyped(let text): text.map { [UInt8]($0.utf8) + [0] }
        case .integer(let integer): Self.bigEndian(UInt64(bitPattern: integer))
        case .real(let real): Self.bigEndian(real.bitPattern)
        case .text(let text): [UInt8](text.utf8)
        case .bytes(let bytes), .raw(_, let bytes): bytes
        case .integers(let integers): Self.array(integers)
        }
    }

    /// The format code: 1 for binary, 0 for a zero-terminated text.
    var format: Int32 { if case .untyped = self { 0 } else { 1 } }

    private static func bigEndian(_ bits: UInt64) -> [UInt8] { withUnsafeBytes(of: bits.bigEndian) { [UInt8]($0) } }

    /// The binary format of an array: one dimension, no NULLs, the element type, the count, the lower bound; then the
    /// elements.
    private static func array(_ integers: [Int64]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + integers.count * 12)
        func append(_ value: UInt32) { withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) } }
        for word in [1, 0, PostgresType.int8, UInt32(clamping: integers.count), 1] { append(word) }
        for integer in integers {
            append(8)
            withUnsafeBytes(of: integer.bigEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }
}

extension [PostgresParameter] {
    /// Calls `body` with the OIDs, values, lengths and formats of the parameters, valid during the call, as libpq
    /// expects.
    func withWireForm<Answer>(
        _ body: (
            UnsafePointer<UInt32>?, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) -> Answer
    ) -> Answer {
        guard !isEmpty else { return body(nil, nil, nil, nil) }
        let values = map(\.bytes)
        let lengths = values.map { Int32(clamping: $0?.count ?? 0) }
        let size = values.reduce(0) { $0 + Swift.max(1, $1?.count ?? 0) }
        // All values are in one block of memory, so that their addresses stay valid during the call.
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Swift.max(1, size), alignment: 8)
        defer { memory.deallocate() }
        var places: [UnsafePointer<CChar>?] = []
        var place = memory
        for value in values {
            guard let value else {
                places.append(nil)
                continue
            }
            value.withUnsafeBytes { bytes in
                if let start = bytes.baseAddress { place.copyMemory(from: start, byteCount: bytes.count) }
            }
            places.append(UnsafePointer(place.assumingMemoryBound(to: CChar.self)))
            place += Swift.max(1, value.count)
        }
        return body(map(\.oid), places, lengths, map(\.format))
    }
}
