import CoreDataSyncing
import Foundation
import MultipeerConnectivity
import TestBasics
import Testing

@testable import CoreDataSyncPeers

/// A device of a test: a session and a folder of items.
final class PeerDevice {
    let session: MCSession
    let transport: PeerTransport
    let folder: URL

    init(_ name: String, in folder: URL) throws {
        self.folder = folder.appendingPathComponent(name)
        session = MCSession(peer: MCPeerID(displayName: name))
        transport = try PeerTransport(session, folder: self.folder)
    }

    /// Connects with another device over loopback.
    func meet(_ other: PeerDevice) async throws {
        let session = other.session
        session.endpoint.setInvitationHandler { [weak session] in $0.answer(true, session: session) }
        let port = try session.endpoint.listen()
        _ = try await self.session.invite(at: [PeerAddress(host: "127.0.0.1", port: port)])
    }

    /// Leaves those it is connected with.
    func leave() { session.disconnect() }

    func put(_ text: String, _ name: String) throws { try transport.write(Array(text.utf8), named: name) }

    /// The names and the bytes of all items.
    func contents() throws -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for item in try transport.items() { contents[item.name] = try transport.read(item, atMost: .max) }
        return contents
    }

    var names: [String] { (try? transport.items().map(\.name).sorted()) ?? [] }
}
