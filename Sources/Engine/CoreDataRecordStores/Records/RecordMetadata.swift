import CoreDataStore

/// Makes the metadata of new record stores.
package enum RecordMetadata {
    /// The store's own entries: its type and UUID, and the versions of the model with which it is made.
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

    /// The entries for a store in a file: everything about the model that later model versions are compared with. The
    /// format stores the type and the UUID separately.
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
