import CoreDataFoundation

extension NSManagedObjectModel {
    /// The name under which the configuration of all entities is listed.
    package static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

    /// The names of the model's configurations, in alphabetical order; the one of all entities comes first.
    public var configurations: [String] { [Self.defaultConfigurationName] + entityNamesByConfiguration.keys.sorted() }

    /// The entities of a configuration, or of the entire model for nil; nil if the configuration does not exist.
    public func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
        guard let configuration, configuration != Self.defaultConfigurationName else { return entities }
        guard let names = entityNamesByConfiguration[configuration] else { return nil }
        let byName = entitiesByName
        return names.compactMap { byName[$0] }
    }

    /// Makes a configuration of entities of the model, or replaces it; an entity may be in several.
    ///
    /// An entity that the model does not have stops the process, as it raises an exception in Apple's framework.
    public func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
        let byName = entitiesByName
        for entity in entities where entity.name.flatMap({ byName[$0] }) !== entity {
            stop("Configuration '\(configuration)': the model has no such entity '\(entity.name ?? "?")'")
        }
        entityNamesByConfiguration[configuration] = entities.compactMap(\.name)
    }
}
