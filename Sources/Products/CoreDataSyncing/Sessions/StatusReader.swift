import CoreDataStore
import CoreDataSync
import Foundation

/// Reads what the status says from a store's state of sync.
struct StatusReader {
    let side: any SideTableKeeping
    let meta: SyncMeta

    /// - Parameter listing: The items of the transport; nil if it cannot be reached.
    func status(_ transport: String, _ listing: [SyncItem]?, hasUnsentSaves: Bool = false) throws -> SyncStatus {
        let records = try records()
        return SyncStatus(
            identity: meta.nextIdentity.description, transport: transport, isWaitingForState: meta.rebase != nil,
            peers: try peers(), hasUnsentSaves: hasUnsentSaves,
            incomingBytes: listing.map { unread($0, records) },
            outgoingBytes: records.values.reduce(0) { $0 + ($1.state == .own && !$1.ranges.isEmpty ? $1.size : 0) },
            refusedItems: records.filter { [.refused, .unreadable].contains($0.value.state) }.keys.sorted(),
            refusedWrites: try RefusedWrites.all(side), lastFailure: try failure())
    }

    private func records() throws -> [String: ItemRecord] {
        var records: [String: ItemRecord] = [:]
        for entry in try side.sideEntries(withPrefix: [AdapterKey.item]) {
            let name = String(decoding: entry.key.dropFirst(), as: UTF8.self)
            records[name] = ItemRecord(String(decoding: entry.value ?? [], as: UTF8.self))
        }
        return records
    }

    private func unread(_ items: [SyncItem], _ records: [String: ItemRecord]) -> Int {
        items.reduce(0) { sum, item in
            if let addressee = ItemNames.addressee(item.name), addressee != meta.nextIdentity { return sum }
            guard let record = records[item.name], record.isCurrent(item) else { return sum + item.size }
            return sum + (record.state == .waiting || record.state == .unreadable ? item.size : 0)
        }
    }

    private func failure() throws -> SyncFailure? {
        guard let bytes = try side.sideValue(for: AdapterKey.failure) else { return nil }
        return try? JSONDecoder().decode(SyncFailure.self, from: Data(bytes))
    }

    private func peers() throws -> [SyncStatus.Peer] {
        let greetings = try KeptGreeting.all(side)
        let isReader = try side.sideValue(for: AdapterKey.reader) != nil
        let others = meta.members.keys.sorted().filter { $0 != meta.identity }
        return ([meta.identity] + others).map { peer in
            let has = greetings[peer]?.greeting.applied ?? VersionVector()
            return SyncStatus.Peer(
                identity: peer.description, isOwn: peer == meta.identity,
                isReader: peer == meta.identity ? isReader : meta.members[peer]?.role == .reader,
                isRetired: meta.retired[peer] != nil,
                lastSeen: greetings[peer].map { Date(timeIntervalSince1970: Double($0.time) / 1_000) },
                lacks: peer == meta.identity ? 0 : count(of: meta.applied, beyond: has),
                isAheadBy: count(of: has, beyond: meta.applied))
        }
    }

    private func count(of vector: VersionVector, beyond other: VersionVector) -> Int {
        vector.sorted.reduce(0) { $0 + Int(clamping: $1.sequence - min($1.sequence, other[$1.author])) }
    }
}
