import CoreDataSyncHub
import CoreDataSyncHubServer
import CoreDataSyncing
import Foundation
import TestBasics

/// A hub on a free port of this machine with a folder of its own, and clients that it admits.
final class TestHub: Sendable {
    let folder: TemporaryFolder
    let hub: SyncHub

    init(in folder: TemporaryFolder? = nil, _ change: (inout HubSettings) -> Void = { _ in }) throws {
        self.folder = try folder ?? TemporaryFolder()
        var settings = HubSettings(folder: Self.data(self.folder))
        change(&settings)
        hub = try SyncHub(settings)
    }

    deinit { hub.stop(finishingWithin: .zero) }

    static func data(_ folder: TemporaryFolder) -> URL { folder.url.appendingPathComponent("hub") }

    var data: URL { Self.data(folder) }
    var admitted: AdmittedKeys { AdmittedKeys(hub: data) }

    /// The key of a device, which is made when it is first asked for.
    func key(_ device: String) throws -> HubKey {
        try HubKey(at: folder.url.appendingPathComponent("\(device).pem"))
    }

    /// A client whose key is admitted to all groups.
    func client(_ device: String = "phone", group: String = "group") throws -> HubTransport {
        let key = try key(device)
        try admitted.admit(key.pin, to: "*")
        return try HubTransport(hub.address(of: group), key: key)
    }

    /// The names of the files of a group.
    func files(_ group: String = "group") -> Set<String> {
        let path = data.appendingPathComponent("groups/\(group)").path
        return Set((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
    }
}

/// The bytes of an item by its number.
func content(_ number: Int, _ count: Int = 64) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number &* 7) }
}
