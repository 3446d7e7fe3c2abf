import CoreDataGraph
import CoreDataStore
import CoreDataSync
import Foundation

/// Reads what the status says from a store's state of sync.
struct StatusReader {
    private let transaction: StoreTransaction
    private let engine: SyncEngine

    init(_ transaction: StoreTransaction, _ engine: SyncEngine) {
        self.transaction = transaction
        self.engine = engine
    }

    private var side: any SideTableKeeping { transaction.side }
    private var meta: SyncMeta { engine.meta }

    /// - Parameter listing: The items of the transport; nil if it cannot be reached.
    func status(_ transport: String, _ listing: [SyncItem]?) throws -> SyncStatus {
        let records = try records()
        return SyncStatus(
            identity: meta.nextIdentity.description, transport: transport, isWaitingForState: meta.rebase != nil,
            lastExchange: meta.lastTick == 0 ? nil : Date(syncMilliseconds: meta.lastTick),
            pendingObjects: try RowExamination(transaction: transaction).pendingCount(), peers: try peers(),
            incomingBytes: listing.map { unread($0, records) },
            outgoingBytes: records.values.reduce(0) { $0 + ($1.state == .own && !$1.ranges.isEmpty ? $1.size : 0) },
            missingBytes: engine.missingChunks.reduce(0) { $0 + $1.size }, absentValues: try absentValues(),
            unsentValues: try unsentValues(),
            refusedItems: try refused(records), refusedWrites: try RefusedWrites.all(side),
            lastFailure: try failure())
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
            // Chunks are read when changes wait for them.
            if ItemNames.chunk(item.name) != nil { return sum }
            guard let record = records[item.name], record.isCurrent(item) else { return sum + item.size }
            return sum + (record.state == .waiting || record.state == .unreadable ? item.size : 0)
        }
    }

    private func refused(_ records: [String: ItemRecord]) throws -> [String] {
        let chunks = try side.sideEntries(withPrefix: [AdapterKey.damagedChunk])
            .map { String(decoding: $0.key.dropFirst(), as: UTF8.self) }
        return (records.filter { [.refused, .unreadable].contains($0.value.state) }.keys + chunks).sorted()
    }

    private func unsentValues() throws -> [SyncStatus.UnsentValue] {
        let storage = transaction.storage
        return try engine.unsentValues(storage).map { value in
            let entity = try engine.records(value.object, storage).first
                .flatMap { engine.configuration.schema.entities[$0.record.entity] }
            return SyncStatus.UnsentValue(
                entity: entity?.name ?? "", attribute: entity?.attribute(value.attribute)?.name ?? "\(value.attribute)",
                size: value.size, object: value.object.description)
        }
    }

    private func absentValues() throws -> [SyncStatus.AbsentValue] {
        try engine.absentValues(transaction.storage).map { value in
            let place = try transaction.map.place(of: value.place.object)
            let entity = place.flatMap { engine.configuration.schema.entities[$0.entity] }
            let attribute = entity?.attribute(value.place.attribute)?.name ?? "\(value.place.attribute)"
            let identifier = place.flatMap { transaction.finder.objectID(of: $0) }
            return SyncStatus.AbsentValue(
                entity: entity?.name ?? "", attribute: attribute, size: value.size,
                object: value.place.object.description, uri: identifier?.uriRepresentation().absoluteString,
                isFetched: value.isFetched)
        }
    }

    func failure() throws -> SyncFailure? {
        guard let bytes = try side.sideValue(for: AdapterKey.failure) else { return nil }
        return try? JSONDecoder().decode(SyncFailure.self, from: Data(bytes))
    }

    func peers() throws -> [SyncStatus.Peer] {
        let greetings = try KeptGreeting.all(side)
        let isReader = try side.sideValue(for: AdapterKey.reader) != nil
        let others = meta.members.keys.sorted().filter { $0 != meta.identity }
        return ([meta.identity] + others).map { peer in
            let has = greetings[peer]?.greeting.applied ?? VersionVector()
            return SyncStatus.Peer(
                identity: peer.description, isOwn: peer == meta.identity,
                isReader: peer == meta.identity ? isReader : meta.members[peer]?.role == .reader,
                isRetired: meta.retired[peer] != nil,
                lastSeen: greetings[peer].map { Date(syncMilliseconds: $0.time) },
                lacks: peer == meta.identity ? 0 : count(of: meta.applied, beyond: has),
                isAheadBy: count(of: has, beyond: meta.applied))
        }
    }

    private func count(of vector: VersionVector, beyond other: VersionVector) -> Int {
        vector.sorted.reduce(0) { $0 + Int(clamping: $1.sequence - min($1.sequence, other[$1.author])) }
    }
}
