import CoreDataSyncing
import Foundation

extension SealedTransport {
    /// Begins a group with this device; the statement of it is written with the first exchange.
    ///
    /// - Parameters:
    ///   - base: The transport beneath.
    ///   - label: What the user calls this device: at most 64 bytes of UTF-8, shown to the group's devices alone.
    ///   - keys: Where the keys lie.
    /// - Throws: `SyncError` with the code `keys`.
    public static func found(over base: any SyncTransport, label: String, keys: KeyFolder) throws -> SealedTransport {
        try found(base, try DeviceKey.make(label: label), SealingKey.make(), salt: Sodium.random(16), keys)
    }

    static func found(
        _ base: any SyncTransport, _ device: DeviceKey, _ key: SealingKey, salt: [UInt8], _ keys: KeyFolder,
        clock: @escaping @Sendable () -> UInt64 = SealedTransport.systemClock
    ) throws -> SealedTransport {
        let founding = Statement(.founding(device.identity, salt: salt), by: device)
        let group = founding.identity
        try keys.update(group) { record in
            var made = GroupRecord(device)
            made.statements = [founding, Statement(.key(key.identifier, after: []), by: device, group: group)]
                .map { Data($0.bytes) }
            made.keys = [Data(key.secret.bytes)]
            record = made
        }
        return try SealedTransport(base, group, keys, clock: clock)
    }

    /// A text by which one device joins the group. The text is a secret until it was used; this device admits the other one when it
    /// exchanges.
    ///
    /// - Parameter seconds: For how long the text is good, by the clock of this device.
    /// - Throws: What ``items()`` throws.
    public func invite(validFor seconds: TimeInterval) throws -> PairingText {
        try update { state in
            guard state.isMember else { throw state.refusalOfDevice(at: now) }
            let expiry = now + UInt64(max(0, min(seconds, 366 * 86_400)))
            let made = Invitation(expiry: expiry)
            let current = now
            try state.keep { record in
                // Expired ones are kept for a month, so that late requests are refused with the reason.
                record.invitations.removeAll { $0.expiry + 30 * 86_400 < current }
                record.invitations.append(made)
            }
            return PairingText(
                group: state.group, secret: SecretBytes(Array(made.secret)), expiry: expiry, address: base.address)
        }
    }

    /// Joins a group by a text of one of its devices. Until that device has exchanged, ``items()`` says that this one waits.
    ///
    /// - Parameters:
    ///   - base: The transport beneath, at the text's address or where that place is on this device.
    ///   - label: What the user calls this device.
    /// - Returns: The transport. A device that has keys of the group goes on with those, so that several stores of a user are one device.
    /// - Throws: `SyncError` with the code `pairing` if the text has expired, and with `keys`.
    public static func accept(
        _ text: PairingText, over base: any SyncTransport, label: String, keys: KeyFolder
    ) throws -> SealedTransport {
        try accept(text, base, label, keys, clock: systemClock)
    }

    /// Takes new keys by a text of another device of the group, after this one was revoked.
    ///
    /// - Returns: The transport with the new keys, in the place of this one.
    /// - Throws: `SyncError` with the code `pairing` if the text has expired or is of another group, and with `keys`.
    public func renewed(by text: PairingText, label: String) throws -> SealedTransport {
        guard text.group == fingerprint else {
            throw SyncError(
                .pairing, "The pairing text is of another group.",
                cure: "Make one on a device that uses the same place.")
        }
        return try Self.accept(text, base, label, folder, renewing: true, clock: clock)
    }

    static func accept(
        _ text: PairingText, _ base: any SyncTransport, _ label: String, _ keys: KeyFolder,
        renewing: Bool = false, clock: @escaping @Sendable () -> UInt64
    ) throws -> SealedTransport {
        guard clock() < text.expiry else {
            throw SyncError(
                .pairing, "The pairing text has expired.",
                cure: "Make a new one by 'coredata sync pair' on a device that takes part.")
        }
        let device = try DeviceKey.make(label: label)
        try keys.join(text.group, device, renewing) { record in
            record.pendingSecret = Data(text.secret.bytes)
            record.pendingExpiry = text.expiry
        }
        return try SealedTransport(base, text.group, keys, clock: clock)
    }
}

extension KeyFolder {
    /// Keeps keys for a group that this device is going to join. Keys with which it was not admitted give way to new ones, and others if they
    /// are to be renewed; what is known of the group stays.
    func join(
        _ group: Fingerprint, _ device: DeviceKey, _ isRenewing: Bool, _ change: (inout GroupRecord) -> Void
    ) throws {
        try update(group) { record in
            var made = GroupRecord(device)
            if let old = record {
                let statements = old.statements.compactMap { try? Statement(Array($0)) }
                let isMember = Membership(group: group, statements).isMember(old.device.identity.signer)
                guard isRenewing || !isMember else { return }
                (made.statements, made.keys) = (old.statements, old.keys)
            }
            change(&made)
            record = made
        }
    }
}
