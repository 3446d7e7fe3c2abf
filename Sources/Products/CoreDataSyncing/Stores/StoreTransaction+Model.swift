import CoreDataStore
import CoreDataSync

/// What a newer model of a store changes.
///
/// A migration computes values that are in no history, so all rows are compared before the engine shows them by the new model. What a
/// row has of an attribute that the older model lacked is an edit only where the attribute was not written: peers with the newer model may
/// have, and what the migration put there is then only a default.
extension StoreTransaction {
    /// Whether the state shows objects by another model than the store's.
    var isModelNewer: Bool {
        guard let engine else { return false }
        return engine.meta.fingerprint != engine.configuration.schema.fingerprint
    }

    /// Shows objects by the store's model, and notes the attributes that it has.
    func showByModel() throws {
        guard let engine else { return }
        if isModelNewer { try handle(.modelChanged) }
        let names = Self.attributes(of: engine.configuration.schema)
        let bytes = names.sorted().flatMap { SideNumber.bytes(UInt64($0.rawValue), 4) }
        guard try side.sideValue(for: AdapterKey.attributes) != bytes else { return }
        note(AdapterKey.attributes, bytes)
    }

    private static func attributes(of schema: SyncSchema) -> Set<SchemaID> {
        Set(schema.entities.values.flatMap { $0.attributes.map(\.id) })
    }

    /// The attributes that the model lacked by which the state shows objects.
    func newAttributes() throws -> Set<SchemaID> {
        guard let engine, isModelNewer else { return [] }
        let all = Self.attributes(of: engine.configuration.schema)
        guard let bytes = try side.sideValue(for: AdapterKey.attributes) else { return all }
        let known = stride(from: 0, to: bytes.count - 3, by: 4).map { start in
            SchemaID(rawValue: UInt32(truncatingIfNeeded: SideNumber.number(bytes[start..<start + 4])))
        }
        return all.subtracting(known)
    }

    /// A change without values of new attributes that peers wrote.
    func withoutWritten(_ new: Set<SchemaID>, _ change: LocalChange) throws -> LocalChange {
        guard case .known(let object) = change.object, let row = try engine?.row(object, storage),
            let entity = engine?.configuration.schema.entity(named: row.entity)
        else { return change }
        var change = change
        for attribute in entity.attributes where new.contains(attribute.id) && change.values[attribute.name] != nil {
            if try isWritten(attribute.id, of: object) { change.values[attribute.name] = nil }
        }
        return change
    }

    /// Whether a peer wrote an attribute of an object, or of one that is one with it.
    private func isWritten(_ attribute: SchemaID, of object: ObjectIdentity) throws -> Bool {
        guard let engine else { return false }
        return try engine.records(object, storage).contains {
            !$0.record.writes[attribute].isEmpty || $0.record.sums[attribute]?.isEmpty == false
        }
    }
}
