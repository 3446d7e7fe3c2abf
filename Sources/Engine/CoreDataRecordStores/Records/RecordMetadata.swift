import CoreDataStore

/// The metadata of a new record store.
package enum RecordMetadata {
    /// The entries that belong to the store: its kind and identity, and the model that it is made with.
    package static func make(type: String, for request: OpeningRequest) -> [String: Any] {
        var metadata = versions(of: request.layouts.model, request.configuration)
        metadata[NSStoreTypeKey] = type
        metadata[NSStoreUUIDKey] = request.delegate.identifier ?? UUID().uuidString
        return metadata
    }

    private static func versions(of model: NSManagedObjectModel, _ configuration: String?) -> [String: Any] {
        let entities = model.entities(forConfigurationName: configuration) ?? model.entities
        let names = Set(entities.compactMap(\.name))
        let identifiers = model.versionIdentifiers.compactMap { $0.base as? String }.sorted()
        return [
            NSStoreModelVersionHashesKey: model.entityVersionHashesByName.filter { names.contains($0.key) },
            NSStoreModelVersionIdentifiersKey: identifiers.isEmpty ? [""] : identifiers,
        ]
    }

    /// What a store that outlives the program says of its model, with all that later versions are compared with; kind and
    /// identity have places of their own.
    package static func makeVersioned(for model: NSManagedObjectModel, configuration: String?) -> [String: Any] {
        var metadata = versions(of: model, configuration)
        metadata["NSStoreModelVersionHashesVersion"] = 3
        metadata["NSPersistenceFrameworkVersion"] = Int(NSCoreDataVersionNumber)
        if let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data], hashes.count == model.entities.count
        {
            metadata["NSStoreModelVersionHashesDigest"] = model.versionHashesDigest
            metadata[NSPersistentStoreModelVersionChecksumKey] = model.versionChecksum
        }
        return metadata
    }
}
