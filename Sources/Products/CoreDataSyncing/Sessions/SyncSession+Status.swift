import CoreDataGraph
import CoreDataSync
import Foundation

extension SyncSession {
    /// How the store stands with its peers, after saves were captured.
    ///
    /// - Throws: `SyncError` with the code `notJoined` if it takes no part, and errors of the store.
    public func status() async throws -> SyncStatus {
        try await reading { transaction, session in
            guard let meta = transaction.engine?.meta else { throw SyncError.notJoined }
            let listing = try? session.place.items()
            return try StatusReader(side: transaction.side, meta: meta).status(session.place.title, listing)
        }
    }

    /// Why an attribute of an object has its value: who wrote what and when, and which rule chose.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of an object that is saved.
    ///   - attribute: The name of the attribute; of an element of a composite its path.
    /// - Throws: `SyncError` with the code `unknownItem` if the object or the attribute takes no part.
    public func why(_ identifier: NSManagedObjectID, _ attribute: String) async throws -> SyncExplanation {
        guard let layout = EntityLayout.known(identifier.entity), let entity = mapping[layout],
            let known = entity.entity.attribute(named: attribute)
        else {
            throw SyncError(
                .unknownItem, "The attribute '\(attribute)' takes no part in sync.",
                cure: "Name a stored attribute of the entity that is not derived.")
        }
        let (row, name) = (IdentityMap.Row(root: mapping.root(of: layout), key: identifier.key), entity.name)
        return try await reading { transaction, _ in
            guard let engine = transaction.engine, let object = try transaction.map.identity(of: row) else {
                throw SyncError(.unknownItem, "The object takes no part in sync.", cure: "Save it, and exchange.")
            }
            return try Explaining(engine, transaction.storage).explain(object, known, name)
        }
    }
}

/// Finds out who wrote the values of an attribute.
private struct Explaining {
    let engine: SyncEngine
    let storage: StoreStorage

    init(_ engine: SyncEngine, _ storage: StoreStorage) {
        self.engine = engine
        self.storage = storage
    }

    func explain(_ object: ObjectIdentity, _ attribute: SyncAttribute, _ entity: String) throws -> SyncExplanation {
        let value = try engine.row(object, storage)?.values[attribute.name] ?? .null
        let records = try engine.records(object, storage)
        var writes: [(time: HybridTime, write: SyncExplanation.Write)] = []
        for (_, record) in records {
            for write in record.writes[attribute.id] ?? [] {
                let isPart = attribute.rule == .counter || attribute.rule == .set
                writes.append(
                    (
                        write.time,
                        shown(write.transaction.author, write.time, write.value, isPart || write.value == value)
                    ))
            }
            for (peer, sum) in (record.sums[attribute.id] ?? [:]).sorted(by: { $0.key < $1.key }) {
                writes.append((record.created, shown(peer, record.created, sum.value, true)))
            }
        }
        return SyncExplanation(
            entity: entity, attribute: attribute.name, rule: attribute.rule.name, value: value.shownText,
            writes: writes.sorted { $0.time < $1.time }.map(\.write), objects: records.map { $0.object.description })
    }

    private func shown(_ peer: PeerID, _ time: HybridTime, _ value: SyncValue, _ isChosen: Bool)
        -> SyncExplanation.Write
    {
        SyncExplanation.Write(
            peer: peer.description, date: Date(timeIntervalSince1970: Double(time.milliseconds) / 1_000),
            value: value.shownText, isChosen: isChosen)
    }
}

extension SyncValue {
    /// The value as text for people; nil for null.
    var shownText: String? {
        switch self {
        case .null: nil
        case .bool(let flag): flag ? "true" : "false"
        case .int(let number): "\(number)"
        case .float(let number): "\(number)"
        case .double(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .string(let text), .uri(let text): text
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
        case .uuid(let uuid): uuid.uuidString
        case .data(let bytes): "\(bytes.count) bytes"
        case .large(let large): "\(large.size) bytes"
        case .array(let elements): "[" + elements.map { $0.shownText ?? "null" }.joined(separator: ", ") + "]"
        case .unknown(let tag, let bytes): "value of kind \(tag), \(bytes.count) bytes"
        }
    }
}
