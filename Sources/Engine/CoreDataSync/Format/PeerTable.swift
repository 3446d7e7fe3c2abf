/// Peers by small numbers: those of a frame, or those of a store's state.
package struct PeerTable: Hashable, Sendable {
    package private(set) var peers: [PeerID] = []
    private var numbers: [PeerID: Int] = [:]

    package init(_ peers: [PeerID] = []) { for peer in peers { _ = number(of: peer) } }

    package func known(_ peer: PeerID) -> Int? { numbers[peer] }

    /// The number of a peer, which is added if it is new.
    package mutating func number(of peer: PeerID) -> Int {
        if let number = numbers[peer] { return number }
        peers.append(peer)
        numbers[peer] = peers.count - 1
        return peers.count - 1
    }
}
