import CoreDataGraph

/// Finds the model version of a store.
enum SourceModel {
    /// Returns the model that is saved in the store, if its version hashes match the store's metadata; otherwise a
    /// matching model, or several merged ones, from the program's resources.
    ///
    /// - Throws: `NSMigrationMissingSourceModelError` if no model is found.
    static func find(of store: StoreToOpen, _ metadata: [String: Any]) throws -> NSManagedObjectModel {
        var reason = "The store keeps no model of its own."
        do {
            if let kept = try store.storeClass.keptModel(at: store.url) {
                if agrees(kept, metadata: metadata, configuration: store.configuration) { return kept }
                reason = "The model that the store keeps has other version hashes than its metadata."
            }
        } catch {
            reason = "The model that the store keeps cannot be read: \(error.localizedDescription)"
        }
        let known = KnownVersion.all(for: store).map(\.model)
        if let model = NSManagedObjectModel(byMerging: known, forStoreMetadata: metadata) { return model }
        // The metadata of a store with a configuration contains only the hashes of the configuration's entities.
        if let configuration = store.configuration,
            let model = known.first(where: {
                $0.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata)
            })
        {
            return model
        }
        throw MigrationErrors.noSourceModel(store.url, reason)
    }

    private static func agrees(
        _ model: NSManagedObjectModel, metadata: [String: Any], configuration: String?
    ) -> Bool {
        let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        return [nil, configuration].contains { model.agreement(with: stored, configuration: $0).differing.isEmpty }
    }
}
