extension Baseline {
    /// A part of the baseline, with what concerns the whole.
    func part(_ number: Int, of count: Int, _ objects: [BaselineObject], _ links: [BaselineLink]) -> Baseline {
        Baseline(
            sender: sender, part: number, partCount: count, applied: applied, dependencies: dependencies, heads: heads,
            formerHeads: formerHeads, members: members, retired: retired, objects: objects, links: links)
    }

    /// Whether another part is of the same baseline.
    func belongsTogether(with other: Baseline) -> Bool {
        sender == other.sender && applied == other.applied && partCount == other.partCount
            && formerHeads == other.formerHeads
    }
}

/// What is known of a sender's baseline of which some parts have arrived.
struct StagedBaseline {
    /// What concerns the whole.
    let head: Baseline
    /// The numbers of the parts that are here.
    var numbers: Set<Int> = []

    var isWhole: Bool { numbers.count == head.partCount }
}

/// Parts of baselines are kept in the state until the last one has arrived, so that a join which breaks off goes on.
///
/// For each sender an entry has what concerns the whole and the numbers of the parts, an entry for each part has its frame, and one beside
/// it the chunks of large values that it names, if it does.
extension SyncState {
    private static func partKey(_ sender: PeerID, _ number: Int? = nil) -> [UInt8] {
        var key = [StateKey.part]
        StateKey.append(sender.rawValue, count: 8, to: &key)
        if let number { StateKey.append(UInt64(number), count: 4, to: &key) }
        return key
    }

    private static func chunksKey(_ sender: PeerID, _ number: Int) -> [UInt8] {
        partKey(sender, number) + [StateKey.chunk]
    }

    /// Keeps a part; one of a newer baseline of its sender takes the place of what is there, one of an older is ignored.
    ///
    /// - Parameter isDemanded: Whether the baseline waits for the large values of an attribute.
    func keep(_ part: Baseline, _ frame: [UInt8], where isDemanded: (SchemaID) -> Bool) throws {
        var staged = try staged(from: part.sender) ?? StagedBaseline(head: part.part(0, of: part.partCount, [], []))
        if !staged.head.belongsTogether(with: part) {
            if staged.head.applied != part.applied, staged.head.applied.covers(part.applied) { return }
            try dropParts(from: part.sender)
            staged = StagedBaseline(head: part.part(0, of: part.partCount, [], []))
        }
        staged.numbers.insert(part.part)
        set(frame, for: Self.partKey(part.sender, part.part))
        keepChunks(of: part, where: isDemanded)
        var writer = ByteWriter()
        writer.write(count: staged.numbers.count)
        for number in staged.numbers.sorted() { writer.write(count: number) }
        writer.write(bytes: SyncFrame.encode(.baseline(staged.head)))
        set(writer.bytes, for: Self.partKey(part.sender))
    }

    private func keepChunks(of part: Baseline, where isDemanded: (SchemaID) -> Bool) {
        let chunks = Set(part.objects.flatMap { $0.record.chunks(where: isDemanded) })
            .sorted { ($0.digest, $0.size) < ($1.digest, $1.size) }
        guard !chunks.isEmpty else { return }
        var writer = ByteWriter()
        writer.write(count: chunks.count)
        for chunk in chunks {
            writer.write(raw: chunk.digest.bytes)
            writer.write(count: chunk.size)
        }
        set(writer.bytes, for: Self.chunksKey(part.sender, part.part))
    }

    /// The chunks that the parts of a baseline name, each once.
    func stagedChunks(_ staged: StagedBaseline) throws -> [LargeValue.Chunk] {
        var known: Set<LargeValue.Chunk> = []
        var chunks: [LargeValue.Chunk] = []
        for number in staged.numbers.sorted() {
            guard let bytes = try value(Self.chunksKey(staged.head.sender, number)) else { continue }
            var reader = ByteReader(bytes)
            for _ in 0..<(try reader.count()) {
                let chunk = LargeValue.Chunk(digest: try reader.digest(), size: Int(clamping: try reader.number()))
                if known.insert(chunk).inserted { chunks.append(chunk) }
            }
        }
        return chunks
    }

    /// Those of whose baselines parts are here.
    func sendersOfParts() throws -> [PeerID] {
        var senders: Set<PeerID> = []
        for key in changedKeys(withPrefix: [StateKey.part]) where try value(key) != nil {
            senders.insert(Self.sender(ofPart: key))
        }
        var last: [UInt8]?
        while let entry = try storage.entries(withPrefix: [StateKey.part], after: last, atMost: 1).first {
            let sender = Self.sender(ofPart: entry.key)
            if try value(Self.partKey(sender)) != nil { senders.insert(sender) }
            // The parts themselves, which are large, are not read.
            last = Self.partKey(sender) + [UInt8](repeating: .max, count: 6)
        }
        return senders.sorted()
    }

    private static func sender(ofPart key: [UInt8]) -> PeerID { PeerID(StateKey.number(key[1...].prefix(8))) }

    func staged(from sender: PeerID) throws -> StagedBaseline? {
        guard let bytes = try value(Self.partKey(sender)) else { return nil }
        var reader = ByteReader(bytes)
        let numbers = try (0..<(try reader.count())).map { _ in Int(truncatingIfNeeded: try reader.number()) }
        guard case .baseline(let head) = try SyncFrame.decode(try reader.content()) else { throw reader.error(.value) }
        return StagedBaseline(head: head, numbers: Set(numbers))
    }

    /// A part that is here.
    func stagedPart(_ number: Int, from sender: PeerID) throws -> Baseline {
        guard let bytes = try value(Self.partKey(sender, number)),
            case .baseline(let part) = try SyncFrame.decode(bytes)
        else { throw FormatError(.truncated, at: 0) }
        return part
    }

    /// A baseline of which all parts are here, as one.
    func wholeBaseline(from sender: PeerID) throws -> Baseline {
        guard let staged = try staged(from: sender) else { throw FormatError(.truncated, at: 0) }
        let parts = try staged.numbers.sorted().map { try stagedPart($0, from: sender) }
        return staged.head.part(0, of: 1, parts.flatMap(\.objects), parts.flatMap(\.links))
    }

    func dropPart(_ number: Int, from sender: PeerID) {
        set(nil, for: Self.partKey(sender, number))
        set(nil, for: Self.chunksKey(sender, number))
    }

    /// Forgets the parts of a sender's baseline.
    func dropParts(from sender: PeerID) throws {
        for number in try staged(from: sender)?.numbers ?? [] { dropPart(number, from: sender) }
        set(nil, for: Self.partKey(sender))
    }

    /// Forgets all parts that are here.
    func dropParts() throws {
        for key in try keysOfParts() { set(nil, for: key) }
    }

    private func keysOfParts() throws -> [[UInt8]] {
        var found = changedKeys(withPrefix: [StateKey.part])
        var last: [UInt8]?
        // One at a time, since a part is large.
        while let entry = try storage.entries(withPrefix: [StateKey.part], after: last, atMost: 1).first {
            found.append(entry.key)
            last = entry.key
        }
        return found
    }
}
