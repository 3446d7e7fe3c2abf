import CoreDataPrinting
import CoreDataSyncPeers
import CoreDataSyncing
import CoreDataWorkbench
import Foundation

/// Stores whose peers are devices nearby: the options that name them, and their transports.
enum NearbyPlace {
    /// What commands that connect devices take.
    static let options: [Option] = [
        Option(
            "connect", value: "HOST:PORT",
            help: "Connect with the device at this address too, for networks in which devices do not find each other."),
        Option("listen", value: "PORT", help: "Where other devices reach this one; any free port by default."),
        Option(
            "paired", value: "FILE",
            help: "Admit only the devices that this file of paired keys names, and ask nothing; others compare codes."),
        .device,
    ]

    /// The group that `--peers` and `--group` name; nil without them.
    ///
    /// - Throws: `UsageError` if the options contradict each other or name no group.
    static func group(_ arguments: Arguments) throws -> PeerGroup? {
        guard let type = arguments["peers"] else {
            guard !arguments.has("group") else { throw arguments.error("--group needs --peers TYPE") }
            return nil
        }
        for other in ["folder", "sealed", "pair", "code"] where arguments.has(other) {
            throw arguments.error("--peers and --\(other) exclude each other")
        }
        guard arguments.has("found") || arguments.has("join") else {
            throw arguments.error("--peers needs --found on the first device, and --join on the others")
        }
        do {
            return try PeerGroup(serviceType: type, name: arguments["group"] ?? "")
        } catch let error as SyncError { throw arguments.error(error.cure.droppingFullStop) }
    }

    /// The transport of a store: one that can connect, or that only lists what is here if the command reads only.
    static func transport(
        _ address: String, of store: OpenStore, _ arguments: Arguments, _ purpose: SyncedPlace.Purpose
    ) throws -> any SyncTransport {
        let group = try PeerGroup(address: address)
        let folder = try PeerGroupTransport.standardFolder(ofStore: store.facts.uuid)
        guard purpose == .exchanging else { return PeerGroupTransport.keptItems(of: group, in: folder) }
        return try PeerGroupTransport(
            group, in: folder, deviceName: SealedPlace.label(arguments),
            admitted: arguments["paired"].map { URL(fileURLWithPath: $0) })
    }

    /// The transport of a store that the browser's page shows.
    static func transport(_ address: String, store: String?, isConnecting: Bool) throws -> any SyncTransport {
        let group = try PeerGroup(address: address)
        let folder = try PeerGroupTransport.standardFolder(ofStore: store)
        guard isConnecting else { return PeerGroupTransport.keptItems(of: group, in: folder) }
        return try PeerGroupTransport(group, in: folder, deviceName: SealedPlace.hostName)
    }

    /// Refuses options for devices nearby where the peers are elsewhere.
    static func refuseOptions(_ arguments: Arguments) throws {
        for name in ["connect", "listen", "paired", "wait"] where arguments.has(name) {
            throw arguments.error("--\(name) is for stores that sync with devices nearby")
        }
    }
}
