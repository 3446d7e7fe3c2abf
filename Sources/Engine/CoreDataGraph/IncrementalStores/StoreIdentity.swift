import CoreDataStore

/// Checks and completes the metadata of a custom store when it is opened.
struct StoreIdentity {
    private let store: NSPersistentStore

    init(_ store: NSPersistentStore) { self.store = store }

    /// Sets the store's identifier from the metadata and checks that the store was made with the model; adds the
    /// model's version hashes to metadata without any.
    ///
    /// - Throws: `NSPersistentStoreOperationError` for metadata without an identifier or store type,
    ///   `NSPersistentStoreIncompatibleVersionHashError` for a store of another model.
    func establish(for model: NSManagedObjectModel) throws {
        let metadata = store.metadata ?? [:]
        guard let identifier = (metadata[NSStoreUUIDKey] as? String) ?? (metadata[NSStoreUUIDKey] as? UUID)?.uuidString,
            !identifier.isEmpty
        else { throw missing("NSStoreUUIDKey", "the store's identity, a string that stays the same") }
        guard metadata[NSStoreTypeKey] as? String != nil else {
            throw missing("NSStoreTypeKey", "the name that the class is registered under")
        }
        guard URL(string: "x-coredata://\(identifier)/")?.host == identifier else {
            throw StoreMistake.make(
                store, "has an identity that no URI can have",
                hint: "Use UUID().uuidString for NSStoreUUIDKey, or letters, digits and hyphens.")
        }
        store.identifier = identifier
        let ignores = store.options?[NSIgnorePersistentStoreVersioningOption] as? Bool ?? false
        if metadata[NSStoreModelVersionHashesKey] == nil {
            store.metadata = metadata.merging(Self.version(of: model, store.configurationName)) { $1 }
        } else if !ignores,
            !model.isConfiguration(
                withName: store.configurationName, compatibleWithStoreMetadata: metadata)
        {
            throw CoreDataError.make(
                NSPersistentStoreIncompatibleVersionHashError,
                "The model used to open the store '\(store.url?.path ?? "")' is incompatible with the one used to create "
                    + "the store.",
                hint: "Open it with the model that it was made with.", userInfo: ["metadata": metadata])
        }
    }

    /// The metadata entries with the version hashes and identifiers of a model.
    static func version(of model: NSManagedObjectModel, _ configuration: String?) -> [String: Any] {
        let entities = model.entities(forConfigurationName: configuration) ?? model.entities
        let names = Set(entities.compactMap(\.name))
        let identifiers = model.versionIdentifiers.compactMap { $0.base as? String }.sorted()
        return [
            NSStoreModelVersionHashesKey: model.entityVersionHashesByName.filter { names.contains($0.key) },
            NSStoreModelVersionIdentifiersKey: identifiers.isEmpty ? [""] : identifiers,
        ]
    }

    private func missing(_ key: String, _ what: String) -> NSError {
        StoreMistake.make(
            store, "set no \(key) in its metadata", hint: "Set metadata in loadMetadata(), with \(key): \(what).")
    }
}
