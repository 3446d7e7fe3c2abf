import CoreDataPrinting
import CoreDataSyncPeers
import CoreDataSyncing
import CoreDataWorkbench
import MultipeerConnectivity

/// `sync pair` of a store whose peers are devices nearby: those that were paired.
struct NearbyPairings {
    private let own: PairingFile.Peer
    private let file: PairingFile

    /// Nil if the store's peers are elsewhere, or it takes no part.
    init?(_ arguments: Arguments) throws {
        let store = try OpenStore(at: arguments.path(0), model: arguments.model)
        defer { store.close() }
        guard !arguments.has("folder"), let address = try SyncSession.address(of: store.store),
            PeerGroup.isAddress(address)
        else { return nil }
        do {
            let folder = try PeerGroupTransport.standardFolder(ofStore: store.facts.uuid)
            (own, file) = try PeerGroupTransport.pairings(in: folder, deviceName: SealedPlace.label(arguments))
        } catch { throw SyncedPlace.error(error, store) }
    }

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        if let device = arguments["revoke"] {
            guard try file.peers().contains(where: { $0.id == device }) else {
                throw arguments.error("--revoke takes the identifier of a paired device, as --devices prints it")
            }
            try file.forget(device)
            return output.say("device \(device) is paired no longer")
        }
        guard arguments.has("devices") else {
            throw arguments.error("devices nearby are paired by 'sync run'; here --devices lists them")
        }
        let peers = [own] + (try file.peers())
        if arguments.format == .json { return output.list(peers.map { Self.json($0, isOwn: $0.id == own.id) }) }
        for peer in peers {
            let state = RunLanguage.text(peer.id == own.id ? "this device" : "device")
            output.line("\(peer.id)  \(state)  \(PrintableText.escaped(peer.name))  \(peer.keyDigest)")
        }
    }

    private static func json(_ peer: PairingFile.Peer, isOwn: Bool) -> JSONValue {
        .object([
            ("identifier", .string(peer.id)), ("label", .string(peer.name)), ("own", .bool(isOwn)),
            ("keyDigest", .string(peer.keyDigest)),
        ])
    }
}
