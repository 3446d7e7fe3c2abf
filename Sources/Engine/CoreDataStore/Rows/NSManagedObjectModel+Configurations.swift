import CoreDataModeling

extension NSManagedObjectModel {
    /// Whether a store with a configuration contains records of an entity; without a configuration it contains those of
    /// all entities.
    package func keeps(_ entity: NSEntityDescription, configuration: String?) -> Bool {
        guard let configuration, !["Default", "PF_DEFAULT_CONFIGURATION_NAME"].contains(configuration) else {
            return true
        }
        return entities(forConfigurationName: configuration)?.contains { $0 === entity } ?? false
    }
}
