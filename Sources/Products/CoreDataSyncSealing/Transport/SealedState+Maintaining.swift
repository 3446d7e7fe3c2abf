import CoreDataSyncing
import Foundation

extension SealedState {
    /// Writes what the group needs of this device: a key after a revocation, statements that are missing, keys for those who lack them,
    /// the admission of who has a text.
    mutating func maintain(_ base: any SyncTransport, at now: UInt64) throws {
        guard isMember else { return try ask(base, at: now) }
        try endAsking(base)
        try answerRequests(at: now)
        guard !isBehind else { return }
        if writingKey == nil { try makeKey() }
        guard let key = writingKey else { return }
        try writeStatements(base, key)
        try writeEnvelopes(base, key)
    }

    /// Makes a key that no revoked device is given.
    mutating func makeKey() throws {
        let key = SealingKey.make()
        try commit(
            Statement(.key(key.identifier, after: membership.countedRevocations), by: device, group: group), key)
    }

    private func writeStatements(_ base: any SyncTransport, _ key: SealingKey) throws {
        let present = Set(
            entries.values.compactMap { entry in
                if case .statement(let identity) = entry.found { identity } else { nil }
            })
        for statement in membership.kept where !present.contains(statement.identity) {
            let clear = statement.identity.description
            let bytes = SealedItem.seal(
                statement.bytes, named: clear, .statement, author: nil, key: key, group: group)
            try base.write(bytes, named: SealedItem.name(of: clear, author: group, key: key))
        }
    }

    /// Gives the members the keys. A key whose revocations are not all known here is not passed on: the receiver might be among the
    /// revoked.
    private func writeEnvelopes(_ base: any SyncTransport, _ key: SealingKey) throws {
        let understood = membership.understoodKeys
        let given =
            keys.values.filter { understood.contains($0.identifier) && $0 != key }
            .sorted { $0.identifier.lexicographicallyPrecedes($1.identifier) } + [key]
        for member in membership.members where member.signer != device.identity.signer {
            let name = KeyEnvelope.name(for: member.signer, key: key)
            guard entries[name] == nil,
                let bytes = try? KeyEnvelope.seal(given, for: member, from: device, group: group)
            else { continue }
            try base.write(bytes, named: name)
        }
    }

    // MARK: Admitting by a text

    /// Admits the first device that asks with each text that this device has given out.
    private mutating func answerRequests(at now: UInt64) throws {
        for item in requests {
            guard let place = invitation(of: item) else { continue }
            let invitation = record.invitations[place]
            guard let asking = try? AdmissionRequest.device(item, invitation.keys, group: group) else { continue }
            let user = Data(asking.signer.bytes)
            if invitation.user == nil {
                guard now < invitation.expiry else { continue }
                // Another process may have admitted another device by the text since it was read.
                try keep { record in
                    for index in record.invitations.indices where record.invitations[index].secret == invitation.secret
                    {
                        record.invitations[index].user = record.invitations[index].user ?? user
                    }
                }
            }
            guard record.invitations.contains(where: { $0.secret == invitation.secret && $0.user == user }) else {
                continue
            }
            try admit(asking)
        }
    }

    /// Lets a device take part.
    mutating func admit(_ asking: DeviceIdentity) throws {
        guard membership.devices[asking.signer] == nil else { return }
        try commit(Statement(.admission(asking), by: device, group: group))
    }

    private var requests: [PairingItem] {
        entries.values.compactMap { entry -> (String, PairingItem)? in
            guard case .pairing(let item) = entry.found, item.kind == .request else { return nil }
            return (entry.item.name, item)
        }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private func invitation(of item: PairingItem) -> Int? {
        record.invitations.firstIndex { $0.keys.tag == item.tag }
    }

    /// Why a request with a text of this device is refused; nil if it is not, or is another device's.
    func refusal(of item: PairingItem) -> SealFailure? {
        guard item.kind == .request, let place = invitation(of: item) else { return nil }
        let invitation = record.invitations[place]
        guard let asking = try? AdmissionRequest.device(item, invitation.keys, group: group) else { return .damaged }
        guard let user = invitation.user else { return .expiredText }
        return user == Data(asking.signer.bytes) ? nil : .usedText
    }

    // MARK: Being admitted

    /// Asks to be admitted, if this device has a text.
    private func ask(_ base: any SyncTransport, at now: UInt64) throws {
        guard let request, let expiry = record.pendingExpiry, now < expiry, entries[request.name] == nil else { return }
        try base.write(request.bytes, named: request.name)
    }

    private mutating func endAsking(_ base: any SyncTransport) throws {
        guard let request else { return }
        try base.remove(request.name)
        try keep { ($0.pendingSecret, $0.pendingExpiry) = (nil, nil) }
    }

    private var request: PairingItem? {
        record.pendingSecret.map {
            AdmissionRequest.item(device, PairingSecret(SecretBytes(Array($0))), group: group)
        }
    }

    /// Why this device cannot read or write.
    func refusalOfDevice(at now: UInt64) -> SyncError {
        if membership.revoked.contains(device.identity.signer) {
            return SyncError(
                .pairing, "This device was revoked.",
                cure: "Let it be admitted again by a new text or code, from a device that takes part.")
        }
        if let expiry = record.pendingExpiry, expiry <= now {
            return SyncError(
                .pairing, "This device was not admitted before its pairing text expired.",
                cure: "Make a new text by 'coredata sync pair' on a device that takes part.")
        }
        return SyncError(
            .pairing, "This device waits to be admitted.",
            cure: "Let the device that invited it exchange, and exchange here again.")
    }
}
