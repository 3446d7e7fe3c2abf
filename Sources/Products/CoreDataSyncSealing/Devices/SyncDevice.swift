import CoreDataSyncing
import Foundation

/// A device of a group.
public struct SyncDevice: Sendable, Hashable {
    /// The first 16 hexadecimal digits of its public key.
    public let identifier: String
    /// What its user calls it.
    public let label: String
    /// Whether it is this device.
    public let isOwn: Bool
    /// Whether it was revoked.
    public let isRevoked: Bool
    /// The identifier of the device that admitted it; nil for the founder.
    public let admittedBy: String?
}

extension SealedTransport {
    /// The devices of the group, this one first.
    ///
    /// - Throws: What ``items()`` throws.
    public func devices() throws -> [SyncDevice] {
        try update { state in
            guard state.isMember else { throw state.refusalOfDevice(at: now) }
            let (membership, own) = (state.membership, state.device.identity.signer)
            return membership.devices.values.map { device in
                SyncDevice(
                    identifier: device.signer.short, label: device.label, isOwn: device.signer == own,
                    isRevoked: membership.revoked.contains(device.signer),
                    admittedBy: membership.admitters[device.signer]?.short)
            }.sorted { ($0.isOwn ? 0 : 1, $0.label, $0.identifier) < ($1.isOwn ? 0 : 1, $1.label, $1.identifier) }
        }
    }

    /// Excludes a device: it is given no further key, and what it writes from now on is refused by all. What it had written until now stays
    /// valid where this device has seen it; the other members hold what they have applied.
    ///
    /// - Parameter identifier: The 16 digits of the device.
    /// - Throws: `SyncError` with the code `unknownItem` if there is no such other member, and what ``items()`` throws.
    public func revoke(_ identifier: String) throws {
        try update { state in
            guard state.isMember else { throw state.refusalOfDevice(at: now) }
            let others = state.membership.members.filter { $0.signer != state.device.identity.signer }
            guard let device = others.first(where: { $0.signer.short == identifier })?.signer else {
                throw SyncError(
                    .unknownItem, "No other device '\(identifier)' takes part.",
                    cure: "'coredata sync pair STORE --devices' lists them; this device is revoked on another one.")
            }
            let items = state.entries.values.compactMap(\.head).filter {
                $0.author == device && state.membership.refusal(of: $0.identity, by: device) == nil
            }
            let revocation = Statement.Act.revocation(
                device, statements: state.membership.statements(by: device), items: Set(items.map(\.identity)))
            try state.commit(Statement(revocation, by: state.device, group: state.group))
            try state.maintain(base, at: now)
        }
    }
}
