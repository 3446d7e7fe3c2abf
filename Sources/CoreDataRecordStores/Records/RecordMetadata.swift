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
            NSStoreUUIDKey: request.host.identifier ?? UUID().uuidString,
            NSStoreModelVersionHashesKey: model.entityVersionHashesByName.filter { names.contains($0.key) },
            NSStoreModelVersionIdentifiersKey: identifiers.isEmpty ? [""] : identifiers,
        ]
    }
}
