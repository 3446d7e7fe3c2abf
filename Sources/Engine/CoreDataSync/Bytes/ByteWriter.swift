import Foundation

/// Writes the numbers, texts and values of the format.
package struct ByteWriter {
    package private(set) var bytes: [UInt8] = []
    /// The peers that are written by number.
    package var peers: PeerTable

    /// Whether peers are written by their identities, and nothing with its length: the form of which digests are made.
    private let isDigested: Bool

    package init(peers: PeerTable = PeerTable()) {
        self.peers = peers
        isDigested = false
    }

    private init(isDigested: Bool) {
        peers = PeerTable()
        self.isDigested = isDigested
    }

    /// What the closure writes, with peers by their identities and nothing with its length.
    static func digested(_ write: (inout ByteWriter) -> Void) -> [UInt8] {
        var writer = ByteWriter(isDigested: true)
        write(&writer)
        return writer.bytes
    }

    package mutating func write(byte: UInt8) { bytes.append(byte) }

    package mutating func write(raw: [UInt8]) { bytes.append(contentsOf: raw) }

    /// Seven bits a byte, the least first; the upper bit says that more follow.
    package mutating func write(number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    package mutating func write(count: Int) { write(number: UInt64(count)) }

    /// A signed number whose sign is in its lowest bit.
    package mutating func write(signed number: Int64) {
        write(number: UInt64(bitPattern: (number << 1) ^ (number >> 63)))
    }

    /// A number in a fixed count of bytes, the least first.
    package mutating func write(fixed number: UInt64, count: Int) {
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(index)))) }
    }

    package mutating func write(bytes content: [UInt8]) {
        write(count: content.count)
        bytes.append(contentsOf: content)
    }

    package mutating func write(text: String) {
        write(count: text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    package mutating func write(peer: PeerID) {
        guard !isDigested else { return write(fixed: peer.rawValue, count: 8) }
        write(count: peers.number(of: peer))
    }

    package mutating func write(_ transaction: TransactionID) {
        write(peer: transaction.author)
        write(number: transaction.sequence)
    }

    package mutating func write(_ object: ObjectIdentity) {
        write(object.creation)
        write(number: UInt64(object.ordinal))
    }

    package mutating func write(_ vector: VersionVector) {
        let sorted = vector.sorted
        write(count: sorted.count)
        for entry in sorted { write(entry) }
    }

    /// Writes what the closure writes with its length before it.
    package mutating func writeSized(_ write: (inout ByteWriter) -> Void) {
        guard !isDigested else { return write(&self) }
        var inner = ByteWriter(peers: peers)
        write(&inner)
        peers = inner.peers
        self.write(bytes: inner.bytes)
    }
}
