/// The value of a parameter, sent in the server's binary form.
package enum PostgresParameter: Sendable {
    case null(oid: UInt32)
    case integer(Int64)
    /// A double, with all its bits.
    case real(Double)
    /// A text without U+0000, which the server refuses.
    case text(String)
    case bytes([UInt8])
    /// An array of 64-bit integers.
    case integers([Int64])
    /// Bytes that are the binary form of a type already.
    case raw(oid: UInt32, [UInt8])
    /// A value as the server's input takes it, of the type that the statement has for it; nil for NULL.
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

    /// 1 for the binary form, 0 for a text that ends with a zero.
    var format: Int32 { if case .untyped = self { 0 } else { 1 } }

    private static func bigEndian(_ bits: UInt64) -> [UInt8] { withUnsafeBytes(of: bits.bigEndian) { [UInt8]($0) } }

    /// One dimension, no NULLs, the type of the elements, their number and the first index; then each with its length.
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
    /// Hands types, values, lengths and forms of the parameters to a body, as libpq takes them; valid during the call.
    func withWireForm<Answer>(
        _ body: (
            UnsafePointer<UInt32>?, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) -> Answer
    ) -> Answer {
        guard !isEmpty else { return body(nil, nil, nil, nil) }
        let values = map(\.bytes)
        let lengths = values.map { Int32(clamping: $0?.count ?? 0) }
        let size = values.reduce(0) { $0 + Swift.max(1, $1?.count ?? 0) }
        // One piece of memory for all values, so that each has its address as long as the call takes.
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
