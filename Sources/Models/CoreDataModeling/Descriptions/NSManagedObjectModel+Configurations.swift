import CoreDataFoundation

extension NSManagedObjectModel {
    /// The name of the default configuration, which has all entities.
    package static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

    /// The names of the model's configurations: the default configuration, then the others in alphabetical order.
    public var configurations: [String] { [Self.defaultConfigurationName] + entityNamesByConfiguration.keys.sorted() }

    /// The entities of a configuration, or of the entire model for nil; nil if the configuration does not exist.
    public func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
        guard let configuration, configuration != Self.defaultConfigurationName else { return entities }
        guard let names = entityNamesByConfiguration[configuration] else { return nil }
        let byName = entitiesByName
        return names.compactMap { byName[$0] }
    }

    /// Sets the entities of a configuration, which is created if it does not exist; an entity may be in several.
    ///
    /// Stops the process for an entity that the model does not have, where Apple's framework raises an exception.
    public func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
        let byName = entitiesByName
        for entity in entities where entity.name.flatMap({ byName[$0] }) !== entity {
            stop("Configuration '\(configuration)': the model has no such entity '\(entity.name ?? "?")'")
        }
        entityNamesByConfiguration[configuration] = entities.compactMap(\.name)
    }
}
