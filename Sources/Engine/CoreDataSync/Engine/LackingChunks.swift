/// The chunks that transactions and a baseline wait for, by what waits.
struct LackingChunks: Sendable {
    private var byTransaction: [TransactionID: Set<ChunkDigest>] = [:]
    /// Whose baseline is taken when its chunks are here: its parts are in the state.
    private(set) var sender: PeerID?
    /// The chunks that the baseline names, whether they are here or not.
    private(set) var namedByBaseline: [LargeValue.Chunk] = []
    private var ofBaseline: Set<ChunkDigest> = []

    /// The values that were asked for, with their chunks and those of these that are not here.
    private var byValue: [ValuePlace: (chunks: [LargeValue.Chunk], lacking: Set<ChunkDigest>)] = [:]

    var isEmpty: Bool { byTransaction.isEmpty && ofBaseline.isEmpty && byValue.isEmpty }

    /// The transactions that lack chunks.
    var transactions: [TransactionID] { byTransaction.keys.sorted() }

    func lacks(_ id: TransactionID) -> Bool { byTransaction[id] != nil }

    func chunks(of id: TransactionID) -> Set<ChunkDigest> { byTransaction[id] ?? [] }

    mutating func set(_ digests: Set<ChunkDigest>, of id: TransactionID) {
        byTransaction[id] = digests.isEmpty ? nil : digests
    }

    mutating func remove(_ id: TransactionID) { byTransaction[id] = nil }

    func contains(_ digest: ChunkDigest) -> Bool {
        ofBaseline.contains(digest) || byTransaction.values.contains { $0.contains(digest) }
            || byValue.values.contains { $0.lacking.contains(digest) }
    }

    mutating func arrived(_ digest: ChunkDigest) {
        ofBaseline.remove(digest)
        for place in byValue.keys { byValue[place]?.lacking.remove(digest) }
        for (id, digests) in byTransaction where digests.contains(digest) {
            byTransaction[id]?.remove(digest)
            if digests.count == 1 { byTransaction[id] = nil }
        }
    }

    // MARK: Values on demand

    var fetchedPlaces: [ValuePlace] { byValue.keys.sorted() }

    mutating func fetch(_ place: ValuePlace, _ chunks: [LargeValue.Chunk], lacking: Set<ChunkDigest>) {
        byValue[place] = (chunks, lacking)
    }

    mutating func forget(_ place: ValuePlace) { byValue[place] = nil }

    /// The chunks of values that were asked for and are not here, by value.
    func chunksOfValues() -> [LargeValue.Chunk] {
        byValue.sorted { $0.key < $1.key }.flatMap { _, value in
            value.chunks.filter { value.lacking.contains($0.digest) }
        }
    }

    // MARK: Baselines

    /// Lets a baseline wait, of which all parts are in the state.
    mutating func wait(
        withBaselineOf sender: PeerID, _ chunks: [LargeValue.Chunk], for digests: Set<ChunkDigest>
    ) {
        self.sender = sender
        namedByBaseline = chunks
        ofBaseline = digests
    }

    /// Whether the chunks of the baseline that waited are here.
    var isBaselineComplete: Bool { sender != nil && ofBaseline.isEmpty }

    mutating func dropBaseline() {
        sender = nil
        namedByBaseline = []
        ofBaseline = []
    }

    /// The baseline's chunks that are not here.
    func chunksOfBaseline() -> [LargeValue.Chunk] {
        namedByBaseline.filter { ofBaseline.contains($0.digest) }
    }
}
