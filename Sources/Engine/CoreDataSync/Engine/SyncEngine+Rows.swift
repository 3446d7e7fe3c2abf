/// What adapters and tools ask of an engine between events.
extension SyncEngine {
    /// The key of the entry that changes with every event that changes the state.
    package static var metaKey: [UInt8] { SyncMeta.key }

    /// An object as the store's row has it by the state; nil if the store has no row of it.
    package func row(_ object: ObjectIdentity, _ storage: any SyncStorage) throws -> SyncRow? {
        let view = ObjectView(
            state: SyncState(storage, configuration.schema, meta), functions: configuration.functions)
        guard try view.isStored(object) else { return nil }
        return try view.presentRow(object)
    }

    /// What is known of an object, and of those that are one with it, the survivor first.
    package func records(
        _ object: ObjectIdentity, _ storage: any SyncStorage
    ) throws -> [(object: ObjectIdentity, record: ObjectRecord)] {
        let view = ObjectView(
            state: SyncState(storage, configuration.schema, meta), functions: configuration.functions)
        let survivor = try view.survivor(object) ?? object
        let members = try view.members(survivor)
        let all = members.isEmpty ? [object] : [survivor] + members.filter { $0 != survivor }
        return try all.compactMap { member in try view.state.record(member).map { (member, $0) } }
    }

    /// Transactions of the log; those that were forgotten are left out.
    package func transactions(_ wanted: [TransactionID], _ storage: any SyncStorage) throws -> [SyncTransaction] {
        let state = SyncState(storage, configuration.schema, meta)
        return try wanted.compactMap { try state.logged($0)?.transaction }
    }

    /// How many transactions the log has, and how many deleted objects are kept since not all peers know of their deletion.
    package func counts(_ storage: any SyncStorage) throws -> (logged: Int, deleted: Int) {
        (
            try storage.entries(withPrefix: [StateKey.log]).count,
            try storage.entries(withPrefix: [StateKey.grave]).count
        )
    }

    /// What the peer says of itself when it is asked nothing.
    package var greeting: Greeting {
        meta.greeting(wantsAnswer: true)
    }
}

extension SyncEngine {
    /// The identity in a head entry.
    ///
    /// - Throws: ``FormatError`` for a damaged entry.
    package static func identity(inHead bytes: [UInt8]) throws -> PeerID { try SyncMeta(decoding: bytes).identity }
}
