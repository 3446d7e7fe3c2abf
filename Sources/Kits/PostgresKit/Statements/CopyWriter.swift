/// Writes rows in the binary format of COPY, in pieces.
///
/// The format: a header; for each row its number of fields, then the length and bytes of each field (-1 for NULL); -1
/// at the end. Source: the documentation of COPY in PostgreSQL 15.
package final class CopyWriter {
    private static let capacity = 1 << 16
    private static let header: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [0, 0, 0, 0, 0, 0, 0, 0]

    private let buffer: UnsafeMutableRawPointer
    private var count = 0
    private let send: (UnsafeRawBufferPointer) throws -> Void

    package init(sendingTo send: @escaping (UnsafeRawBufferPointer) throws -> Void) throws {
        self.send = send
        buffer = .allocate(byteCount: Self.capacity, alignment: 8)
        try Self.header.withUnsafeBytes { try append($0) }
    }

    deinit { buffer.deallocate() }

    /// Begins a row with the given number of fields.
    package func beginRow(_ fields: Int) throws { try append(UInt16(clamping: fields)) }

    package func appendNull() throws { try append(UInt32.max) }

    /// Appends a field of 8 bytes: an integer, or the bits of a real.
    package func append(bits: UInt64) throws {
        try makeRoom(12)
        buffer.storeBytes(of: UInt32(8).bigEndian, toByteOffset: count, as: UInt32.self)
        buffer.storeBytes(of: bits.bigEndian, toByteOffset: count + 4, as: UInt64.self)
        count += 12
    }

    /// Appends a field; a large one is sent without copying it.
    package func append(field bytes: UnsafeRawBufferPointer) throws {
        try append(fieldOf: bytes.count) { try $0(bytes) }
    }

    /// Appends a field of `size` bytes, which `fill` passes to its argument in parts.
    ///
    /// - Throws: also if `fill` passes more or fewer bytes.
    package func append(
        fieldOf size: Int, _ fill: (_ put: (UnsafeRawBufferPointer) throws -> Void) throws -> Void
    ) throws {
        guard size <= 1 << 30 else {
            throw PostgresError(.misuse, "a value has more than 1 GiB", attempt: "copy")
        }
        try append(UInt32(size))
        var rest = size
        try fill { part in
            rest -= part.count
            guard rest >= 0 else { throw Self.miscounted }
            try append(part)
        }
        guard rest == 0 else { throw Self.miscounted }
    }

    private static var miscounted: PostgresError {
        PostgresError(.misuse, "a value has other than the bytes that were announced", attempt: "copy")
    }

    /// Appends a numeric field, given as text.
    package func append(digits: String) throws {
        try PostgresNumeric.bytes(of: digits).withUnsafeBytes { try append(field: $0) }
    }

    /// Writes the end marker and sends the rest.
    package func finish() throws {
        try append(UInt16.max)
        try flush()
    }

    private func append<Integer: FixedWidthInteger>(_ integer: Integer) throws {
        try makeRoom(MemoryLayout<Integer>.size)
        buffer.storeBytes(of: integer.bigEndian, toByteOffset: count, as: Integer.self)
        count += MemoryLayout<Integer>.size
    }

    private func append(_ bytes: UnsafeRawBufferPointer) throws {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        try makeRoom(bytes.count)
        guard bytes.count <= Self.capacity else { return try send(bytes) }
        (buffer + count).copyMemory(from: start, byteCount: bytes.count)
        count += bytes.count
    }

    private func makeRoom(_ additional: Int) throws {
        if count + additional > Self.capacity { try flush() }
    }

    private func flush() throws {
        let full = UnsafeRawBufferPointer(start: buffer, count: count)
        count = 0
        if !full.isEmpty { try send(full) }
    }
}
