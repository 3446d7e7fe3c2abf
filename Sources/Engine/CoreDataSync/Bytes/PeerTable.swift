/// Peers by small numbers: those of a frame, or those of a store's state.
package struct PeerTable: Hashable, Sendable {
    /// How many peers a state may name: their numbers have two bytes in its keys.
    package static let greatestCount = 1 << 16
    /// How many of them may come from others; the rest is for the store's own identities.
    static let greatestForeignCount = greatestCount - 1_024

    package private(set) var peers: [PeerID] = []
    private var numbers: [PeerID: Int] = [:]

    package init(_ peers: [PeerID] = []) { for peer in peers { _ = number(of: peer) } }

    /// Whether a state has numbers for peers, which may be known already.
    func hasRoom(for others: Set<PeerID>) -> Bool {
        peers.count + others.count(where: { numbers[$0] == nil }) <= Self.greatestForeignCount
    }

    package func known(_ peer: PeerID) -> Int? { numbers[peer] }

    /// The number of a peer, which is added if it is new.
    package mutating func number(of peer: PeerID) -> Int {
        if let number = numbers[peer] { return number }
        peers.append(peer)
        numbers[peer] = peers.count - 1
        return peers.count - 1
    }
}
