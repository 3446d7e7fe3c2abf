import CoreDataSyncing
import Foundation

/// What a sealed transport knows: the items beneath, the members, the keys.
struct SealedState: Sendable {
    let group: Fingerprint
    let folder: KeyFolder
    let device: DeviceKey
    var record: GroupRecord
    var membership: Membership
    /// The keys that this device was given, by their identifiers.
    private(set) var keys: [[UInt8]: SealingKey] = [:]
    var entries: [String: SealedEntry] = [:]
    /// How many keys the items were tried with that are sealed with one that was not known.
    var triedKeys = 0
    /// The statements that were read and are not counted yet.
    var readStatements: [Statement] = []
    /// Where the shown items lie, by their shown names.
    var places: [String: [String]] = [:]

    /// - Throws: `SyncError` with the code `keys` if this device has no keys of the group.
    init(_ group: Fingerprint, _ folder: KeyFolder) throws {
        try Sodium.start()
        guard let record = try folder.record(of: group) else {
            throw SyncError(
                .keys, "This device has no keys of the group \(group.short).",
                cure: "Pair it by 'coredata sync pair', or put the keys in '\(folder.url.path)' back from a backup.")
        }
        (self.group, self.folder, self.record) = (group, folder, record)
        device = record.device
        membership = Membership(group: group)
        take(record)
    }

    var isMember: Bool { membership.isMember(device.identity.signer) }

    /// The key with which this device seals: one that no revoked device was given; the same for all that know the same.
    var writingKey: SealingKey? { membership.cleanKeys.lazy.compactMap { keys[$0] }.first }

    /// Whether a member gave a key of which not all is known here that led to it: a revocation is on its way, and whatever is sealed with an
    /// older key the revoked device could read.
    var isBehind: Bool {
        let understood = membership.understoodKeys
        let known = Set(keys.values.filter { understood.contains($0.identifier) }.map(\.secret))
        return entries.values.contains { entry in
            guard case .envelope(let envelope?) = entry.found, membership.isMember(envelope.giver) else { return false }
            return !known.isSuperset(of: envelope.keys)
        }
    }

    /// Takes over what the file of keys has, which is trusted.
    mutating func take(_ record: GroupRecord) {
        self.record = record
        membership.add(
            record.statements.compactMap { bytes in
                membership.statements[Fingerprint(Sodium.hash(bytes))] == nil ? try? Statement(Array(bytes)) : nil
            })
        add(record.keys.map { SecretBytes(Array($0)) })
    }

    mutating func add(_ secrets: [SecretBytes]) {
        let known = Set(keys.values.map(\.secret))
        for secret in secrets where secret.bytes.count == Sodium.keySize && !known.contains(secret) {
            guard keys.count < 2 * KeyEnvelope.greatestCount else { break }
            let key = SealingKey(secret)
            keys[key.identifier] = key
        }
    }

    /// Takes a statement of this device, and a key that it names, into account once they are in the file: nothing is sealed with a key that
    /// could be lost.
    mutating func commit(_ statement: Statement, _ key: SealingKey? = nil) throws {
        try keep { record in
            record.statements.append(Data(statement.bytes))
            if let key { record.keys.append(Data(key.secret.bytes)) }
        }
    }

    /// Keeps what was learned: statements of devices that were admitted, and the keys that members gave.
    mutating func keep(_ change: (inout GroupRecord) throws -> Void = { _ in }) throws {
        let trusted = membership.understoodKeys
        let given = entries.values.compactMap { entry -> KeyEnvelope? in
            guard case .envelope(let envelope?) = entry.found, membership.isMember(envelope.giver) else { return nil }
            return envelope
        }
        let secrets = Set(given.flatMap(\.keys) + keys.values.filter { trusted.contains($0.identifier) }.map(\.secret))
        let statements = membership.kept.map { Data($0.bytes) }
        let known = Set(record.statements)
        let hasAll = Set(record.keys).isSuperset(of: secrets.map { Data($0.bytes) })
        var changed = record
        try change(&changed)
        guard !hasAll || !known.isSuperset(of: statements) || changed != record else { return }
        let kept = try folder.update(group) { present in
            guard var next = present else { throw SyncError(.keys, "The keys were removed.", cure: "Pair again.") }
            try change(&next)
            let (old, oldKeys) = (Set(next.statements), Set(next.keys))
            next.statements += statements.filter { !old.contains($0) }
            next.keys += secrets.map { Data($0.bytes) }.filter { !oldKeys.contains($0) }
                .sorted { $0.lexicographicallyPrecedes($1) }
            present = next
            return next
        }
        take(kept)
    }
}
