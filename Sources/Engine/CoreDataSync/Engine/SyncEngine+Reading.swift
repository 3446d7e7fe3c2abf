extension SyncEngine {
    /// An engine that only reads a store's state; nil if the store has none.
    ///
    /// - Throws: What the storage throws, and ``FormatError`` for a damaged state.
    package static func reading(_ configuration: SyncConfiguration, _ storage: any SyncStorage) throws -> SyncEngine? {
        try storedMeta(storage).map { SyncEngine(configuration, $0, spare: $0.identity) }
    }

    /// The rows that the store should have by its state, by identity: for comparison with those that it has.
    package func rows(_ storage: any SyncStorage) throws -> [ObjectIdentity: SyncRow] {
        let state = SyncState(storage, configuration.schema, meta)
        let view = ObjectView(state: state, functions: configuration.functions)
        var rows: [ObjectIdentity: SyncRow] = [:]
        for object in try state.allObjects() where try view.isStored(object) {
            rows[object] = try view.row(object, where: view.isStored)
        }
        return rows
    }
}
