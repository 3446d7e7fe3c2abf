/// An event as trace files contain it: 88 bytes; texts, stacks and models are referred to by their numbers, 0 for none.
package struct TraceRecord: Equatable, Sendable {
    package static let size = 88

    package var kind: UInt8 = 0
    package var flags: UInt8 = 0
    package var model: UInt16 = 0
    package var thread: UInt32 = 0
    /// In nanoseconds of the process's monotonic clock.
    package var start: UInt64 = 0
    package var duration: UInt64 = 0
    package var queue: UInt32 = 0
    package var context: UInt32 = 0
    package var contextName: UInt32 = 0
    package var store: UInt32 = 0
    package var entity: UInt32 = 0
    package var detail: UInt32 = 0
    package var shape: UInt32 = 0
    package var values: UInt32 = 0
    package var rows: UInt32 = 0
    package var registered: UInt32 = 0
    package var scanned: UInt32 = 0
    package var inserted: UInt32 = 0
    package var updated: UInt32 = 0
    package var deleted: UInt32 = 0
    package var unchanged: UInt32 = 0
    package var stack: UInt32 = 0

    package init() {}

    /// Reads a record from the 88 bytes at an offset; the caller has checked that they exist.
    package init(_ bytes: UnsafeRawBufferPointer, at place: Int) {
        func word(_ offset: Int) -> UInt32 {
            UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place + offset, as: UInt32.self))
        }
        func long(_ offset: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place + offset, as: UInt64.self))
        }
        let first = word(0)
        kind = UInt8(truncatingIfNeeded: first)
        flags = UInt8(truncatingIfNeeded: first >> 8)
        model = UInt16(truncatingIfNeeded: first >> 16)
        (thread, start, duration) = (word(4), long(8), long(16))
        (queue, context, contextName, store) = (word(24), word(28), word(32), word(36))
        (entity, detail, shape, values) = (word(40), word(44), word(48), word(52))
        (rows, registered, scanned) = (word(56), word(60), word(64))
        (inserted, updated, deleted, unchanged) = (word(68), word(72), word(76), word(80))
        stack = word(84)
    }

    /// Writes the 88 bytes.
    package func append(to bytes: inout [UInt8]) {
        bytes.append(number: UInt32(kind) | UInt32(flags) << 8 | UInt32(model) << 16)
        bytes.append(number: thread)
        bytes.append(number: start)
        bytes.append(number: duration)
        for word in [
            queue, context, contextName, store, entity, detail, shape, values, rows, registered, scanned, inserted,
            updated, deleted, unchanged, stack,
        ] { bytes.append(number: word) }
    }

    /// The bytes of many records; on little-endian machines a copy of their memory.
    package static func bytes(of records: [TraceRecord]) -> [UInt8] {
        #if _endian(little)
            if MemoryLayout<TraceRecord>.stride == size { return records.withUnsafeBytes { Array($0) } }
        #endif
        var bytes: [UInt8] = []
        bytes.reserveCapacity(records.count * size)
        for record in records { record.append(to: &bytes) }
        return bytes
    }

    /// When the operation ended; saturates instead of overflowing on the times of a damaged file.
    package var end: UInt64 {
        let (sum, overflows) = start.addingReportingOverflow(duration)
        return overflows ? .max : sum
    }
}
