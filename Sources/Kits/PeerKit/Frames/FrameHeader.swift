/// The first 24 bytes of a frame's payload; all numbers have the most significant byte first.
///
/// | bytes | what |
/// |---|---|
/// | 0 | kind |
/// | 1 | flags |
/// | 2–3 | 0 |
/// | 4–7 | channel; 0 for messages |
/// | 8–15 | number of a frame that is sent again until it is acknowledged, from 1; 0 for others |
/// | 16–23 | number up to which the sender has received all frames |
package struct FrameHeader: Sendable, Equatable {
    /// What a frame has.
    package enum Kind: UInt8, Sendable, CaseIterable {
        /// Values of the layer above, as JSON.
        case control = 1
        /// A part of a reliable message.
        case message = 2
        /// A part of a message that may be lost.
        case unreliable = 3
        /// Opens a byte channel, with a description as JSON.
        case open = 4
        /// Bytes of a channel.
        case data = 5
        /// The end of a channel; a reason where it did not end well.
        case end = 6
        /// The receiver of a channel wants no more of it, and why.
        case reset = 7
        /// So many bytes more may be sent on a channel: a number of 8 bytes.
        case credit = 8
        /// Nothing but the acknowledgement in the header.
        case acknowledgement = 9
        case ping = 10
        case pong = 11
        /// The sender leaves, with a code and a reason as JSON.
        case goodbye = 12

        /// Whether frames of the kind are numbered, and sent again after an interruption.
        package var isNumbered: Bool {
            switch self {
            case .control, .message, .open, .data, .end, .reset, .credit: true
            case .unreliable, .acknowledgement, .ping, .pong, .goodbye: false
            }
        }
    }

    /// The flag of the last part of a message.
    package static let last: UInt8 = 1
    /// The flag of the first part of an unreliable message.
    package static let first: UInt8 = 2
    package static let count = 24
    /// Bytes of the largest payload: with length and header it fills one record of TLS.
    package static let payloadLimit = 16_384 - FrameReader.lengthBytes - count
    /// Bytes of the largest frame without its length.
    package static let frameLimit = count + payloadLimit

    package var kind: Kind
    package var flags: UInt8 = 0
    package var channel: UInt32 = 0
    package var number: UInt64 = 0
    package var acknowledged: UInt64 = 0

    package init(
        _ kind: Kind, flags: UInt8 = 0, channel: UInt32 = 0, number: UInt64 = 0, acknowledged: UInt64 = 0
    ) {
        (self.kind, self.flags, self.channel) = (kind, flags, channel)
        (self.number, self.acknowledged) = (number, acknowledged)
    }

    /// Reads the header of a frame.
    ///
    /// - Throws: `PeerFailure` with `invalid` for a frame that is too short, of an unknown kind, or numbered wrongly.
    package init(_ frame: UnsafeRawBufferPointer) throws {
        guard frame.count >= Self.count else {
            throw PeerFailure(.invalid, "a frame has \(frame.count) bytes; its header alone takes \(Self.count)")
        }
        guard let kind = Kind(rawValue: frame[0]) else {
            throw PeerFailure(.invalid, "\(frame[0]) is not a kind of frame")
        }
        self.kind = kind
        flags = frame[1]
        channel = UInt32(bigEndian: frame.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        number = UInt64(bigEndian: frame.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        acknowledged = UInt64(bigEndian: frame.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
        guard kind.isNumbered == (number > 0) else {
            throw PeerFailure(.invalid, "a frame of the kind \(kind) has the number \(number)")
        }
    }

    /// A whole frame, its length first.
    package func frame(_ payload: UnsafeRawBufferPointer) -> [UInt8] {
        let total = FrameReader.lengthBytes + Self.count + payload.count
        return [UInt8](unsafeUninitializedCapacity: total) { buffer, count in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            bytes.storeBytes(of: UInt64(Self.count + payload.count).bigEndian, toByteOffset: 0, as: UInt64.self)
            bytes[8] = kind.rawValue
            bytes[9] = flags
            bytes.storeBytes(of: 0, toByteOffset: 10, as: UInt16.self)
            bytes.storeBytes(of: channel.bigEndian, toByteOffset: 12, as: UInt32.self)
            bytes.storeBytes(of: number.bigEndian, toByteOffset: 16, as: UInt64.self)
            bytes.storeBytes(of: acknowledged.bigEndian, toByteOffset: 24, as: UInt64.self)
            UnsafeMutableRawBufferPointer(rebasing: bytes[(FrameReader.lengthBytes + Self.count)...])
                .copyMemory(from: payload)
            count = total
        }
    }
}
