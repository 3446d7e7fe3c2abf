import CoreDataSyncing
import Foundation
import MultipeerConnectivity
import Synchronization

/// Devices that meet: each keeps the items of all in a folder of its own, and the members of a session give each other what they lack.
/// Neither a shared folder nor a hub is needed.
///
/// ```swift
/// import CoreDataSyncPeers
/// import CoreDataSyncing
/// import MultipeerConnectivity
///
/// let session = MCSession(peer: MCPeerID(displayName: "Kitchen"))
/// let paired = PairingFile(url.appendingPathComponent("paired"))
/// session.trust = .pairing(paired) { peer, code, answer in
///     print("Does \(peer.displayName) show \(code), too?")
///     answer(readLine() == "yes")
/// }
/// let transport = try PeerTransport(session, folder: url.appendingPathComponent("items"))
/// let connector = try PeerConnector(transport, serviceType: "shopping-list")
/// connector.start()
/// let syncing = try await container.sync(over: transport)
/// print(try await syncing.status())
/// ```
/// A device that is alone reads and writes its folder, and its changes go out when it connects again: to those it meets, and by them to those
/// they meet. The session is for sync alone. Its members are trusted as those are who may write to a shared folder: they can remove items,
/// fill the disk and withhold what they know, but items that they alter are refused, and what they read can be sealed
/// (`CoreDataSyncSealing`).
public final class PeerTransport: SyncTransport {
    /// Whose members exchange the items.
    public let session: MCSession
    private let folder: FolderTransport
    private let exchange: PeerExchange
    /// The text that the store keeps; nil for a transport that only the program can make again.
    public let address: String?

    /// Uses a session and a folder, which belong to this transport alone.
    ///
    /// - Parameters:
    ///   - folder: Made if it is not there. A folder that was copied, or put back from a backup, is noticed.
    ///   - address: The text from which the program can make the transport again; the store keeps it.
    /// - Throws: An error of the system if the folder can neither be read nor made.
    public init(_ session: MCSession, folder url: URL, address: String? = nil) throws {
        (self.session, self.address) = (session, address)
        let held = try HeldItems(url)
        folder = FolderTransport(held.items)
        exchange = PeerExchange(session, held, folder)
        exchange.start()
    }

    deinit { exchange.stop() }

    /// The name of the own peer.
    public var title: String { "peers of \(session.myPeerID.displayName)" }

    /// The items in the folder.
    public func items() throws -> [SyncItem] {
        if let failure = exchange.takeFailure() { throw failure }
        return try folder.items()
    }

    /// The bytes of an item.
    public func read(_ item: SyncItem, atMost limit: Int) throws -> [UInt8]? { try folder.read(item, atMost: limit) }

    /// Puts an item into the folder, and sends word of it to the members that are there.
    public func write(_ bytes: [UInt8], named name: String) throws {
        guard ItemName.isValid(name), bytes.count <= ItemList.Limits.itemSize else {
            throw SyncError(
                .transport, "Peers do not take an item '\(name)' of \(bytes.count) bytes.",
                cure: "Use names of sync: 200 lower-case letters, digits and '-' at most, with '.ocsync' at the end.")
        }
        try folder.write(bytes, named: name)
        try exchange.change(.added(name, size: bytes.count))
    }

    /// Removes an item that this device has written, here and at all members.
    public func remove(_ name: String) throws { try exchange.change(.removed(name)) }

    /// Calls the block when an item of another device has come or gone.
    public func watch(_ changed: (@Sendable () -> Void)?) -> Bool {
        exchange.watch(changed)
        return true
    }

    /// How many items are known of and not yet here.
    public var missingCount: Int { exchange.missingCount }
}
