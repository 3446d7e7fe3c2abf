import CoreDataStore

/// A store that keeps its records in memory as long as its coordinator has it.
///
/// Its URL is a name only: nothing is read or written there, and two stores with one URL know nothing of each other.
package final class MemoryStore: NSPersistentStore, @unchecked Sendable {
    private var stored: [String: Any] = [:]

    override package var type: String { NSInMemoryStoreType }

    override package var capabilities: Capabilities { [.exactDecimals, .exactReals] }

    override package var metadata: [String: Any]! {
        get { stored }
        set { stored = newValue }
    }

    /// Makes the store, empty.
    override package func loadMetadata() throws {
        guard let coordinator = persistentStoreCoordinator else { return }
        stored = Self.metadata(
            of: coordinator.managedObjectModel, configuration: configurationName, identifier: identifier)
        objects = MemoryRecords(store: self, model: coordinator.modelLayout)
    }

    override package func willRemove(from coordinator: NSPersistentStoreCoordinator?) { objects = nil }

    private static func metadata(
        of model: NSManagedObjectModel, configuration: String?, identifier: String
    ) -> [String: Any] {
        let entities = model.entities(forConfigurationName: configuration) ?? model.entities
        let names = Set(entities.compactMap(\.name))
        let identifiers = model.versionIdentifiers.compactMap { $0.base as? String }.sorted()
        return [
            NSStoreTypeKey: NSInMemoryStoreType,
            NSStoreUUIDKey: identifier,
            NSStoreModelVersionHashesKey: model.entityVersionHashesByName.filter { names.contains($0.key) },
            NSStoreModelVersionIdentifiersKey: identifiers.isEmpty ? [""] : identifiers,
        ]
    }
}
