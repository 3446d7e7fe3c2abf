/// The bytes of a message: a head, a table of peers, the content and a checksum over all of it. See Docs/SyncFormat.md.
package enum SyncFrame {
    static let magic: [UInt8] = Array("OCSY".utf8)
    static let version: UInt8 = 1
    /// The greatest size of a frame; larger ones are refused before they are read.
    package static let greatestSize = 256 << 20

    /// How many items a frame has at most that is no baseline.
    package static let greatestItemCount = 1 << 22

    private static let headSize = 6
    private static let checksumSize = 4

    private enum Kind: UInt8 {
        case transactions = 1
        case greeting = 2
        case baseline = 3
        case wantedChunks = 4
        case chunk = 5
        case retired = 6
    }

    /// The checksum at the end of a frame, of all bytes before it.
    package static func checksum(_ bytes: [UInt8]) -> UInt32 { Checksum.crc32(bytes) }

    /// How many bytes the frame of a chunk has.
    package static func size(ofChunk size: Int) -> Int {
        var writer = ByteWriter()
        writer.write(count: size)
        return headSize + 1 + writer.bytes.count + size + checksumSize
    }

    package static func encode(_ message: SyncMessage) -> [UInt8] {
        var body = ByteWriter()
        let kind = body.write(message)
        return frame(of: body, kind)
    }

    /// A frame with a part of a baseline, whose objects and links the closure writes.
    static func baseline(
        _ head: Baseline, _ write: (inout ByteWriter) throws -> Void
    ) rethrows -> [UInt8] {
        var body = ByteWriter()
        body.write(headOf: head)
        try write(&body)
        return frame(of: body, Kind.baseline.rawValue)
    }

    private static func frame(of body: ByteWriter, _ kind: UInt8) -> [UInt8] {
        var frame = ByteWriter()
        frame.write(raw: magic)
        frame.write(byte: version)
        frame.write(byte: kind)
        frame.write(count: body.peers.peers.count)
        for peer in body.peers.peers { frame.write(fixed: peer.rawValue, count: 8) }
        frame.write(raw: body.bytes)
        frame.write(fixed: UInt64(Checksum.crc32(frame.bytes)), count: checksumSize)
        return frame.bytes
    }

    /// Reads a frame.
    ///
    /// - Throws: ``FormatError`` for bytes that are damaged, of another format or of a newer program.
    package static func decode(_ bytes: [UInt8]) throws -> SyncMessage {
        guard bytes.count <= greatestSize else { throw FormatError(.tooLarge, at: greatestSize) }
        guard bytes.count >= headSize + checksumSize else { throw FormatError(.truncated, at: bytes.count) }
        guard bytes.starts(with: magic) else { throw FormatError(.notSync, at: 0) }
        let end = bytes.count - checksumSize
        var tail = ByteReader(Array(bytes[end...]))
        guard UInt64(Checksum.crc32(bytes[..<end])) == (try tail.fixed(checksumSize)) else {
            throw FormatError(.checksum, at: end)
        }
        guard bytes[4] == version else { throw FormatError(.newerFormat, at: 4) }
        guard let kind = Kind(rawValue: bytes[5]) else { throw FormatError(.unknownKind, at: 5) }
        var reader = ByteReader(Array(bytes[headSize..<end]))
        reader.peers = try peers(&reader)
        reader.itemsLeft = itemLimit(kind, bytes.count)
        let message = try reader.message(kind.rawValue)
        try reader.finish()
        return message
    }

    /// How many items a frame may have: what programs write takes more than four bytes an item.
    private static func itemLimit(_ kind: Kind, _ size: Int) -> Int {
        let count = 65_536 + size / 4
        return kind == .baseline ? count : min(count, greatestItemCount)
    }

    /// The peers that a frame names, which was decoded before.
    fileprivate static func peers(of bytes: [UInt8]) throws -> [PeerID] {
        // A number of ten bytes at most, and eight bytes a peer: the rest need not be copied.
        var head = ByteReader(Array(bytes.dropFirst(headSize).prefix(10)))
        let count = Int(min(try head.number(), UInt64(PeerTable.greatestCount)))
        var reader = ByteReader(Array(bytes.dropFirst(headSize).prefix(10 + 8 * count)))
        return try peers(&reader)
    }

    private static func peers(_ reader: inout ByteReader) throws -> [PeerID] {
        let count = try reader.count(ofItemsOf: 8)
        guard count <= PeerTable.greatestCount else { throw reader.error(.tooManyPeers) }
        let peers = try (0..<count).map { _ in PeerID(try reader.fixed(8)) }
        guard Set(peers).count == count else { throw reader.error(.peer) }
        return peers
    }
}

/// A frame with what it says.
package struct DecodedFrame: Sendable {
    package let message: SyncMessage
    package let bytes: [UInt8]
    /// The peers that it names.
    let peers: [PeerID]

    /// - Throws: ``FormatError`` for bytes that are damaged, of another format or of a newer program.
    package init(_ bytes: [UInt8]) throws {
        message = try SyncFrame.decode(bytes)
        peers = try SyncFrame.peers(of: bytes)
        self.bytes = bytes
    }
}

extension ByteWriter {
    /// Writes the content of a message and returns its kind.
    fileprivate mutating func write(_ message: SyncMessage) -> UInt8 {
        switch message {
        case .transactions(let transactions):
            var context = TransactionContext()
            write(count: transactions.count)
            for transaction in transactions { write(transaction, &context) }
            return 1
        case .greeting(let greeting):
            write(peer: greeting.sender)
            write(byte: (greeting.wantsAnswer ? 1 : 0) | (greeting.former == nil ? 0 : 2))
            if let former = greeting.former { write(peer: former) }
            write(greeting.applied)
            for last in greeting.applied.sorted { write(fixed: UInt64(greeting.digests[last.author] ?? 0), count: 4) }
            write(greeting.floor)
            return 2
        case .baseline(let baseline):
            write(baseline)
            return 3
        case .wantedChunks(let digests):
            write(count: digests.count)
            for digest in digests { write(raw: digest.bytes) }
            return 4
        case .chunk(let content):
            write(bytes: content)
            return 5
        case .retired(let peer, let sender):
            write(peer: peer)
            write(peer: sender)
            return 6
        }
    }

    private mutating func write(_ baseline: Baseline) {
        write(headOf: baseline)
        write(count: baseline.objects.count)
        for object in baseline.objects {
            write(object.id)
            write(object.record)
        }
        write(count: baseline.links.count)
        for link in baseline.links { write(link.key, link.tags) }
    }

    mutating func write(_ key: LinkKey, _ tags: [LinkTag]) {
        write(key.relationship)
        write(key.source)
        write(key.target)
        write(tags)
    }

    fileprivate mutating func write(headOf baseline: Baseline) {
        write(peer: baseline.sender)
        write(count: baseline.part)
        write(count: baseline.partCount)
        write(baseline.applied)
        write(count: baseline.dependencies.count)
        for (peer, vector) in baseline.dependencies.sorted(by: { $0.key < $1.key }) {
            write(peer: peer)
            write(vector)
        }
        write(baseline.heads)
        write(count: baseline.formerHeads.count)
        for head in baseline.formerHeads {
            write(number: head.sequence)
            write(fixed: UInt64(head.digest), count: 4)
        }
        write(baseline.members)
        write(baseline.retired)
    }
}

extension ByteReader {
    fileprivate mutating func message(_ kind: UInt8) throws -> SyncMessage {
        switch kind {
        case 1:
            var context = TransactionContext()
            var transactions: [SyncTransaction] = []
            for _ in 0..<(try count(ofObjectsOf: 5)) { transactions.append(try transaction(&context)) }
            return .transactions(transactions)
        case 2:
            let sender = try peer()
            let flag = try byte()
            guard flag < 4 else { throw error(.value) }
            let former = flag & 2 == 0 ? nil : try peer()
            let applied = try vector()
            var digests: [PeerID: UInt32] = [:]
            for last in applied.sorted {
                let digest = UInt32(truncatingIfNeeded: try fixed(4))
                if digest != 0 { digests[last.author] = digest }
            }
            return .greeting(
                Greeting(
                    sender: sender, former: former, applied: applied, digests: digests, floor: try vector(),
                    wantsAnswer: flag & 1 == 1))
        case 3: return .baseline(try baseline())
        case 4:
            let count = try count(ofObjectsOf: ChunkDigest.size)
            return .wantedChunks(try (0..<count).map { _ in try digest() })
        case 5:
            guard remaining <= LargeValue.Chunk.greatestSize + 5 else { throw error(.tooLarge) }
            return .chunk(try content())
        default: return .retired(try peer(), by: try peer())
        }
    }

    /// How many parts a baseline has at most.
    private static let greatestPartCount: UInt64 = 1 << 20

    private mutating func baseline() throws -> Baseline {
        let sender = try peer()
        let (part, partCount) = (try number(), try number())
        guard part < partCount, partCount <= Self.greatestPartCount else { throw error(.value) }
        let applied = try vector()
        var dependencies: [PeerID: VersionVector] = [:]
        for _ in 0..<(try count(ofObjectsOf: 2)) { dependencies[try peer()] = try vector() }
        let heads = try heads()
        var formerHeads: [TransactionHead] = []
        for _ in 0..<(try count(ofObjectsOf: 5)) {
            formerHeads.append(
                TransactionHead(sequence: try number(), digest: UInt32(truncatingIfNeeded: try fixed(4))))
        }
        let members = try members()
        let retired = try retired()
        var objects: [BaselineObject] = []
        for _ in 0..<(try count(ofObjectsOf: 9)) {
            objects.append(BaselineObject(id: try object(), record: try record()))
        }
        var links: [BaselineLink] = []
        for _ in 0..<(try count(ofObjectsOf: 11)) {
            let key = LinkKey(relationship: try schemaID(), source: try object(), target: try object())
            links.append(BaselineLink(key: key, tags: try tags()))
        }
        return Baseline(
            sender: sender, part: Int(part), partCount: Int(partCount), applied: applied, dependencies: dependencies,
            heads: heads, formerHeads: formerHeads,
            members: members, retired: retired, objects: objects, links: links)
    }
}
