import CoreDataSyncing
import Foundation

/// The items that a device has of a group, only to be read: for programs that show how a store stands while another one connects it.
final class KeptItems: SyncTransport {
    let title: String
    private let folder: FolderTransport

    init(_ group: PeerGroup, in folder: URL) {
        title = group.address
        self.folder = FolderTransport(PeerFolder.items(in: folder))
    }

    var address: String? { title }

    func items() throws -> [SyncItem] { try folder.items() }

    func read(_ item: SyncItem, atMost limit: Int) throws -> [UInt8]? { try folder.read(item, atMost: limit) }

    func write(_ bytes: [UInt8], named name: String) throws { throw Self.failure }

    func remove(_ name: String) throws { throw Self.failure }

    private static let failure = SyncError(
        .transport, "The items of devices nearby are opened for reading only.",
        cure: "Exchange by the program that connects with the devices.")
}
