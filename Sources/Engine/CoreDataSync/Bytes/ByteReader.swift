import Foundation

/// Reads bytes from outside: every count, number and text is checked before it is used.
package struct ByteReader {
    package let bytes: [UInt8]
    package private(set) var offset: Int
    package let end: Int
    /// The peers that the bytes name by number.
    package var peers: [PeerID]
    /// How many items may still be read, so that small items do not take many times the memory of their bytes.
    package var itemsLeft = Int.max

    package init(_ bytes: [UInt8], peers: [PeerID] = []) {
        self.bytes = bytes
        self.peers = peers
        offset = 0
        end = bytes.count
    }

    private init(_ other: ByteReader, count: Int) {
        bytes = other.bytes
        peers = other.peers
        itemsLeft = other.itemsLeft
        offset = other.offset
        end = other.offset + count
    }

    package var remaining: Int { end - offset }

    package func error(_ reason: FormatError.Reason) -> FormatError { FormatError(reason, at: offset) }

    package mutating func byte() throws -> UInt8 {
        guard offset < end else { throw error(.truncated) }
        offset += 1
        return bytes[offset - 1]
    }

    package mutating func raw(_ count: Int) throws -> [UInt8] {
        guard count >= 0, count <= remaining else { throw error(.truncated) }
        offset += count
        return Array(bytes[offset - count..<offset])
    }

    package mutating func number() throws -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let next = try byte()
            if shift == 63, next > 1 { throw error(.overflow) }
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 {
                guard next != 0 || shift == 0 else { throw error(.notCanonical) }
                return value
            }
            shift += 7
        }
    }

    /// A count of items of which each takes `size` bytes at least, so that no more memory is taken than the bytes explain.
    package mutating func count(ofItemsOf size: Int = 1) throws -> Int {
        let value = try number()
        guard value <= UInt64(remaining / max(1, size)) else { throw error(.truncated) }
        return Int(value)
    }

    /// A count of items that take memory of their own; see ``itemsLeft``.
    package mutating func count(ofObjectsOf size: Int) throws -> Int {
        let count = try count(ofItemsOf: size)
        guard count <= itemsLeft else { throw error(.tooManyItems) }
        itemsLeft -= count
        return count
    }

    package mutating func signed() throws -> Int64 {
        let value = try number()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    package mutating func fixed(_ count: Int) throws -> UInt64 {
        guard count <= remaining else { throw error(.truncated) }
        var value: UInt64 = 0
        for index in 0..<count { value |= UInt64(bytes[offset + index]) << (8 * UInt64(index)) }
        offset += count
        return value
    }

    package mutating func content() throws -> [UInt8] { try raw(try count()) }

    package mutating func text() throws -> String {
        guard let text = String(validating: try content(), as: UTF8.self) else { throw error(.text) }
        return text
    }

    package mutating func peer() throws -> PeerID {
        let number = try number()
        guard number < UInt64(peers.count) else { throw error(.peer) }
        return peers[Int(number)]
    }

    package mutating func transaction() throws -> TransactionID {
        let author = try peer()
        let sequence = try number()
        guard sequence > 0 else { throw error(.value) }
        guard sequence <= TransactionID.greatestSequence else { throw error(.overflow) }
        return TransactionID(author, sequence)
    }

    package mutating func object() throws -> ObjectIdentity {
        let creation = try transaction()
        guard let ordinal = UInt32(exactly: try number()) else { throw error(.overflow) }
        return ObjectIdentity(creation, ordinal)
    }

    package mutating func vector() throws -> VersionVector {
        var sequences: [PeerID: UInt64] = [:]
        for _ in 0..<(try count(ofObjectsOf: 2)) {
            let entry = try transaction()
            guard sequences.updateValue(entry.sequence, forKey: entry.author) == nil else { throw error(.value) }
        }
        return VersionVector(sequences)
    }

    /// A reader of the next bytes that are preceded by their length.
    package mutating func sized() throws -> ByteReader {
        let count = try count()
        let inner = ByteReader(self, count: count)
        offset += count
        return inner
    }

    package func finish() throws {
        guard offset == end else { throw error(.trailing) }
    }
}
