import Foundation

/// The tags of values in the format. Those from `firstSized` on are followed by their length, so that older programs keep them.
enum ValueTag {
    static let null: UInt8 = 0
    static let no: UInt8 = 1
    static let yes: UInt8 = 2
    static let int: UInt8 = 3
    static let float: UInt8 = 4
    static let double: UInt8 = 5
    static let decimal: UInt8 = 6
    static let string: UInt8 = 7
    static let data: UInt8 = 8
    static let date: UInt8 = 9
    static let uuid: UInt8 = 10
    static let uri: UInt8 = 11
    static let array: UInt8 = 12
    static let large: UInt8 = 13
    static let firstSized: UInt8 = 16
    /// How deeply arrays may be nested.
    static let greatestDepth = 16
}

extension ByteWriter {
    /// Writes what was added to a counter.
    mutating func write(_ sums: [PeerID: SyncValue]) {
        write(count: sums.count)
        for (peer, value) in sums.sorted(by: { $0.key < $1.key }) {
            write(peer: peer)
            write(value)
        }
    }

    package mutating func write(_ value: SyncValue) {
        switch value {
        case .null: write(byte: ValueTag.null)
        case .bool(let value): write(byte: value ? ValueTag.yes : ValueTag.no)
        case .int(let value):
            write(byte: ValueTag.int)
            write(signed: value)
        case .float(let value): write(ValueTag.float, UInt64(value.bitPattern), 4)
        case .double(let value): write(ValueTag.double, value.bitPattern, 8)
        case .date(let value): write(ValueTag.date, value.bitPattern, 8)
        case .decimal(let value): write(ValueTag.decimal, text: value.isNaN ? "NaN" : value.description)
        case .string(let value): write(ValueTag.string, text: value)
        case .uri(let value): write(ValueTag.uri, text: value)
        case .data(let value):
            write(byte: ValueTag.data)
            write(bytes: value)
        case .uuid(let value):
            write(byte: ValueTag.uuid)
            withUnsafeBytes(of: value.uuid) { write(raw: Array($0)) }
        case .array(let values):
            write(byte: ValueTag.array)
            write(count: values.count)
            for value in values { write(value) }
        case .large(let value): write(large: value)
        case .unknown(let tag, let bytes):
            write(byte: tag)
            write(bytes: bytes)
        }
    }

    private mutating func write(_ tag: UInt8, _ bits: UInt64, _ count: Int) {
        write(byte: tag)
        write(fixed: bits, count: count)
    }

    private mutating func write(_ tag: UInt8, text: String) {
        write(byte: tag)
        write(text: text)
    }

    private mutating func write(large value: LargeValue) {
        write(byte: ValueTag.large)
        write(byte: value.kind.rawValue)
        write(count: value.chunks.count)
        for chunk in value.chunks {
            write(raw: chunk.digest.bytes)
            write(count: chunk.size)
        }
    }
}

extension ByteReader {
    mutating func sums() throws -> [PeerID: SyncValue] {
        var sums: [PeerID: SyncValue] = [:]
        for _ in 0..<(try count(ofObjectsOf: 2)) { sums[try peer()] = try value() }
        return sums
    }

    package mutating func value(depth: Int = 0) throws -> SyncValue {
        let tag = try byte()
        switch tag {
        case ValueTag.null: return .null
        case ValueTag.no: return .bool(false)
        case ValueTag.yes: return .bool(true)
        case ValueTag.int: return .int(try signed())
        case ValueTag.float: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: try fixed(4))))
        case ValueTag.double: return .double(Double(bitPattern: try fixed(8)))
        case ValueTag.date: return .date(Double(bitPattern: try fixed(8)))
        case ValueTag.decimal: return .decimal(try decimal())
        case ValueTag.string: return .string(try text())
        case ValueTag.uri: return .uri(try text())
        case ValueTag.data: return .data(try content())
        case ValueTag.uuid: return .uuid(try uuid())
        case ValueTag.array:
            guard depth < ValueTag.greatestDepth else { throw error(.depth) }
            var values: [SyncValue] = []
            for _ in 0..<(try count(ofObjectsOf: 1)) { values.append(try value(depth: depth + 1)) }
            return .array(values)
        case ValueTag.large: return .large(try large())
        case ValueTag.firstSized...: return .unknown(tag: tag, bytes: try content())
        default: throw error(.value)
        }
    }

    private mutating func decimal() throws -> Decimal {
        let text = try text()
        if text == "NaN" { return .nan }
        // Only what the writer writes is read, so that equal numbers have equal bytes.
        guard text.utf8.count <= 200, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 || $0 == 0x2D || $0 == 0x2E }),
            let value = Decimal(string: text, locale: nil), value.description == text
        else { throw error(.value) }
        return value
    }

    private mutating func uuid() throws -> UUID {
        let bytes = try raw(16)
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }

    private mutating func large() throws -> LargeValue {
        guard let kind = LargeValue.Kind(rawValue: try byte()) else { throw error(.value) }
        let count = try count(ofObjectsOf: ChunkDigest.size + 1)
        guard count <= LargeValue.greatestCount else { throw error(.tooManyItems) }
        var chunks: [LargeValue.Chunk] = []
        chunks.reserveCapacity(count)
        var total = 0
        for _ in 0..<count {
            let digest = try digest()
            let size = try number()
            guard size > 0, size <= UInt64(LargeValue.Chunk.greatestSize) else { throw error(.value) }
            total += Int(size)
            guard total <= LargeValue.greatestSize else { throw error(.tooLarge) }
            chunks.append(LargeValue.Chunk(digest: digest, size: Int(size)))
        }
        return LargeValue(kind, chunks: chunks)
    }

    mutating func digest() throws -> ChunkDigest {
        guard let digest = ChunkDigest(try raw(ChunkDigest.size)) else { throw error(.value) }
        return digest
    }
}
