import CoreDataStore

/// What a new store of records says of itself.
package enum RecordMetadata {
    /// The entries that belong to the store: its kind and identity, and the model that it is made with.
    package static func make(type: String, for request: OpeningRequest) -> [String: Any] {
        let model = request.layouts.model
        let entities = model.entities(forConfigurationName: request.configuration) ?? model.entities
        let names = Set(entities.compactMap(\.name))
        let identifiers = model.versionIdentifiers.compactMap { $0.base as? String }.sorted()
        return [
            NSStoreTypeKey: type,
            NSStoreUUIDKey: request.delegate.identifier ?? UUID().uuidString,
            NSStoreModelVersionHashesKey: model.entityVersionHashesByName.filter { names.contains($0.key) },
            NSStoreModelVersionIdentifiersKey: identifiers.isEmpty ? [""] : identifiers,
        ]
    }

    /// The same for a store that outlives the program, with all that later versions of the model are compared with; kind and
    /// identity have places of their own.
    package static func makeVersioned(for request: OpeningRequest) -> [String: Any] {
        let model = request.layouts.model
        var metadata = make(type: "", for: request)
        metadata[NSStoreTypeKey] = nil
        metadata[NSStoreUUIDKey] = nil
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
