import Foundation
import PeerKit

/// What a program hands to another one, by whatever way, so that it connects to a session without an invitation.
struct NearbyConnectionData: Codable {
    var version = 1
    var identifier: String
    var session: UUID
    var key: String
    /// A secret that only the receiver of the data knows.
    var token: Data
    var addresses: [PeerAddress]

    /// - Throws: ``MCError`` with `invalidParameter` for bytes that are none, or of another peer.
    static func read(_ data: Data, of peer: MCPeerID) throws -> NearbyConnectionData {
        guard data.count <= 64 << 10, let value = try? JSONDecoder().decode(NearbyConnectionData.self, from: data)
        else {
            throw MCError(
                .invalidParameter, "the connection data cannot be read", hint: "ask the other side for new ones")
        }
        guard value.version == 1 else {
            throw MCError(
                .unsupported, "the connection data have version \(value.version)", hint: "update this program")
        }
        guard value.identifier == peer.identifier, PeerKey(value.key) != nil, !value.addresses.isEmpty,
            value.addresses.count <= 64
        else { throw MCError(.invalidParameter, "the connection data are not those of \(peer.displayName)") }
        return value
    }
}
