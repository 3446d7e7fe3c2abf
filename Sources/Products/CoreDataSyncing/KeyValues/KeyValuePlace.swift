import CoreDataSync
import Foundation

/// Where the values are: a file of this device, which is read without any other, and the items of all devices in a transport.
struct KeyValuePlace {
    /// The identity of this device in this place.
    let device: String
    private let file: URL
    let transport: (any SyncTransport)?

    /// Opens the place in a folder of this device, which is made if it is missing.
    init(_ folder: URL, transport: (any SyncTransport)?) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        file = folder.appendingPathComponent("values")
        self.transport = transport
        let identity = folder.appendingPathComponent("device")
        if let text = try? String(contentsOf: identity, encoding: .utf8), PeerID(text) != nil {
            device = text
        } else {
            device = PeerID(.random(in: 1 ... .max)).description
            try Data(device.utf8).write(to: identity, options: .atomic)
        }
    }

    /// The values that were known when the program ended; nil if there are none, or they are damaged.
    func savedState() -> KeyValueState? { (try? Data(contentsOf: file)).flatMap { try? KeyValueState(data: $0) } }

    func save(_ state: KeyValueState) throws { try state.data.write(to: file, options: .atomic) }

    /// What all other devices have written. Items that cannot be read are left alone, and written by a newer program, perhaps.
    func others() throws -> [KeyValueState] {
        guard let transport else { return [] }
        return try transport.items().filter { Self.writer($0.name) != device }.compactMap { item in
            try transport.read(item, atMost: 8 << 20).flatMap { try? KeyValueState(data: Data($0)) }
        }
    }

    /// Writes the values for the other devices, in place of what this device wrote before; does nothing if that is the same.
    func publish(_ state: KeyValueState) throws {
        guard let transport else { return }
        let bytes = [UInt8](state.data)
        let name = "\(device)-k-\(SyncChecksum.text(of: bytes)).ocsync"
        let written = try transport.items().map(\.name).filter { Self.writer($0) == device }
        if !written.contains(name) { try transport.write(bytes, named: name) }
        for former in written where former != name { try transport.remove(former) }
    }

    private static func writer(_ name: String) -> String? {
        let parts = name.split(separator: "-")
        return parts.count == 3 && parts[1] == "k" ? String(parts[0]) : nil
    }
}
