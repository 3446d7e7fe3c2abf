import Foundation

/// What this device keeps of a group, in a file that its user alone may read.
struct GroupRecord: Codable, Hashable, Sendable {
    private(set) var version = 1
    /// The seed of the device's keys.
    let seed: Data
    /// What the user calls this device.
    let label: String
    /// The statements that are known, so that an older state of the transport takes nothing back.
    var statements: [Data] = []
    /// The keys that members gave.
    var keys: [Data] = []
    /// The texts that this device has given out.
    var invitations: [Invitation] = []
    /// The text with which this device asks to be admitted, until it is; nil if it asked in another way.
    var pendingSecret: Data?
    /// When that text expires.
    var pendingExpiry: UInt64?

    init(_ device: DeviceKey) {
        seed = Data(device.seed.bytes)
        label = device.identity.label
    }

    var device: DeviceKey { DeviceKey(seed: SecretBytes(Array(seed)), label: label) }
}
