import CoreDataModeling

extension NSManagedObjectModel {
    /// Whether a store with a configuration keeps records of an entity; one without keeps all.
    package func keeps(_ entity: NSEntityDescription, configuration: String?) -> Bool {
        guard let configuration, !["Default", "PF_DEFAULT_CONFIGURATION_NAME"].contains(configuration) else {
            return true
        }
        return entities(forConfigurationName: configuration)?.contains { $0 === entity } ?? false
    }
}
