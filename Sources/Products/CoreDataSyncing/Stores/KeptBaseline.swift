import CoreDataSync

/// A baseline for a peer, whose parts were kept.
struct KeptBaseline {
    let peer: PeerID
    var parts: [(name: String, place: Spool.Place)] = []
    /// The chunks that the parts name.
    var chunks: Set<LargeValue.Chunk> = []
}
