/// A value that is too large to be sent as a whole, and stays on this device until it is replaced.
package struct UnsentValue: Hashable, Sendable {
    package let object: ObjectIdentity
    package let attribute: SchemaID
    package let size: Int
}

extension SyncEngine {
    /// The values that are not sent, by object.
    package func unsentValues(_ storage: any SyncStorage) throws -> [UnsentValue] {
        let state = SyncState(storage, configuration.schema, meta)
        return try state.keys(withPrefix: [StateKey.unsent]).compactMap { key in
            guard key.count == 1 + StateKey.objectSize + 4, let bytes = try state.value(key) else { return nil }
            var reader = ByteReader(bytes)
            return UnsentValue(
                object: try state.object(inKey: key.dropLast(4)), attribute: SyncState.attribute(inUnsent: key),
                size: Int(clamping: try reader.number()))
        }
    }
}

extension SyncState {
    private func unsentKey(_ object: ObjectIdentity, _ attribute: SchemaID) -> [UInt8] {
        var key = [StateKey.unsent] + self.key(object)
        StateKey.append(UInt64(attribute.rawValue), count: 4, to: &key)
        return key
    }

    static func attribute(inUnsent key: [UInt8]) -> SchemaID {
        SchemaID(rawValue: UInt32(truncatingIfNeeded: StateKey.number(key.suffix(4))))
    }

    /// Notes a value that is not sent.
    ///
    /// - Returns: Whether it was not known.
    func noteUnsent(_ value: UnsentValue) throws -> Bool {
        let key = unsentKey(value.object, value.attribute)
        let bytes = ChunkTable.time(UInt64(value.size))
        guard try self.value(key) != bytes else { return false }
        set(bytes, for: key)
        return true
    }

    /// The attributes of each object whose values are not sent; empty for most stores.
    func unsentAttributes() throws -> [ObjectIdentity: Set<SchemaID>] {
        var found: [ObjectIdentity: Set<SchemaID>] = [:]
        for key in try keys(withPrefix: [StateKey.unsent]) where key.count == 1 + StateKey.objectSize + 4 {
            found[try object(inKey: key.dropLast(4)), default: []].insert(Self.attribute(inUnsent: key))
        }
        return found
    }

    func forgetUnsent(_ object: ObjectIdentity, _ attributes: Set<SchemaID>) {
        for attribute in attributes { set(nil, for: unsentKey(object, attribute)) }
    }
}

extension EventRun {
    /// Notes the values that a save leaves out, and forgets those that it replaces.
    mutating func noteUnsent(_ capture: LocalCapture) throws {
        let known = try state.unsentAttributes()
        if !known.isEmpty {
            for operation in capture.operations {
                switch operation {
                case .set(let object, let attribute, _):
                    if known[object]?.contains(attribute) == true { state.forgetUnsent(object, [attribute]) }
                case .delete(let object): state.forgetUnsent(object, known[object] ?? [])
                default: continue
                }
            }
        }
        for value in capture.tooLarge where try state.noteUnsent(value) {
            markChanged()
            let name = try view.entity(value.object)?.attribute(value.attribute)?.name
            reports.append(.valueTooLarge(value.object, attribute: name ?? "\(value.attribute)", size: value.size))
        }
    }

    /// Forgets values that were not sent where rows get others from peers.
    mutating func forgetReplacedUnsent() throws {
        guard !rows.isEmpty else { return }
        let known = try state.unsentAttributes()
        guard !known.isEmpty else { return }
        for change in rows {
            guard let attributes = known[change.object] else { continue }
            guard case .update(let row) = change, let entity = view.schema.entity(named: row.entity) else {
                state.forgetUnsent(change.object, attributes)
                continue
            }
            let replaced = attributes.filter { id in entity.attribute(id).map { row.values[$0.name] != nil } ?? false }
            state.forgetUnsent(change.object, replaced)
        }
    }

    /// Rows without the values that only the store has.
    func withoutUnsent(_ rows: [RowChange]) throws -> [RowChange] {
        let known = try state.unsentAttributes()
        guard !known.isEmpty else { return rows }
        return rows.map { change in
            guard case .update(var row) = change, let attributes = known[row.id],
                let entity = view.schema.entity(named: row.entity)
            else { return change }
            for attribute in attributes.compactMap({ entity.attribute($0) }) { row.values[attribute.name] = nil }
            return .update(row)
        }
    }
}
