/// Cuts a stream of bytes into frames: each is its length in 8 bytes, the most significant first, and so many bytes.
///
/// Invariants:
/// 1. `held` has the beginning of one frame, never all of it; no memory is taken for bytes that have not come.
/// 2. After a length that is not allowed, nothing more is read.
package struct FrameReader: Sendable {
    /// Bytes that the length of a frame takes.
    package static let lengthBytes = 8

    private let limit: Int
    private var held: [UInt8] = []
    private var isBroken = false

    /// - Parameter limit: The largest payload of a frame.
    package init(limit: Int) { self.limit = limit }

    /// The number of bytes of an unfinished frame.
    package var heldBytes: Int { held.count }

    /// Takes the bytes of an unfinished frame out, for another reader of the same stream.
    package mutating func takeHeld() -> [UInt8] {
        defer { held = [] }
        return held
    }

    /// Takes the next bytes of the stream, and calls `body` with the payload of each frame that they complete.
    ///
    /// - Throws: `PeerFailure` with `invalid` for a length above the limit, or what `body` throws.
    package mutating func append(
        _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var rest = bytes
        while !held.isEmpty, !rest.isEmpty {
            rest = try complete(with: rest, body)
        }
        while rest.count >= Self.lengthBytes {
            let length = try length(in: rest)
            guard rest.count - Self.lengthBytes >= length else { break }
            try body(UnsafeRawBufferPointer(rebasing: rest[Self.lengthBytes..<Self.lengthBytes + length]))
            rest = UnsafeRawBufferPointer(rebasing: rest[(Self.lengthBytes + length)...])
        }
        if !rest.isEmpty { held.append(contentsOf: rest) }
        if held.isEmpty, held.capacity > 0 { held = [] }
    }

    /// Completes the frame that is held, as far as the bytes reach; returns those behind it.
    private mutating func complete(
        with bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> UnsafeRawBufferPointer {
        let wanted = held.count < Self.lengthBytes ? Self.lengthBytes : Self.lengthBytes + (try heldLength())
        let count = min(wanted - held.count, bytes.count)
        held.append(contentsOf: bytes[..<count])
        let rest = UnsafeRawBufferPointer(rebasing: bytes[count...])
        guard held.count >= Self.lengthBytes, held.count == Self.lengthBytes + (try heldLength()) else { return rest }
        let frame = held
        held.removeAll(keepingCapacity: true)
        try frame.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[Self.lengthBytes...])) }
        return rest
    }

    private mutating func heldLength() throws -> Int {
        let head = Array(held.prefix(Self.lengthBytes))
        return try head.withUnsafeBytes { try length(in: $0) }
    }

    private mutating func length(in bytes: UnsafeRawBufferPointer) throws -> Int {
        guard !isBroken else { throw PeerFailure(.invalid, "the stream is broken by an earlier frame") }
        let length = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        guard length <= UInt64(limit) else {
            isBroken = true
            throw PeerFailure(.invalid, "a frame of \(length) bytes was announced; at most \(limit) are allowed")
        }
        return Int(length)
    }
}
