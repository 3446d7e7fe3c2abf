import CoreData

/// How well one version of a model matches a store, by the version hashes of the entities.
package struct ModelFit {
    package let version: ModelVersion
    /// The configuration that matches the store best; nil for all entities of the model.
    package let configuration: String?
    /// The entities that differ, by name.
    package let differences: [(entity: String, difference: VersionDifference)]

    package var matches: Bool { differences.isEmpty }

    /// Compares a version with the hashes in a store's metadata, by the configuration that differs least.
    package init(_ version: ModelVersion, hashes: [String: Data]) {
        self.version = version
        (configuration, differences) = version.model.nearestConfiguration(to: hashes)
    }

    /// The differences in words: `Book (changed), Page (not in the model)`; at most ten.
    package var differenceText: String {
        let shown = differences.prefix(10).map { "\($0.entity) (\($0.difference.text))" }.joined(separator: ", ")
        return differences.count > 10 ? shown + " and \(differences.count - 10) more" : shown
    }
}

extension NSManagedObjectModel {
    /// The configuration whose entities differ least from the hashes in a store's metadata, and the differences. Nil
    /// stands for all entities, which are preferred to a configuration with as many differences.
    func nearestConfiguration(
        to hashes: [String: Data]
    ) -> (configuration: String?, differences: [(entity: String, difference: VersionDifference)]) {
        let named = configurations.filter { $0 != NSManagedObjectModel.defaultConfigurationName }
        let fits = ([nil] + named.map(Optional.some)).map { configuration in
            (configuration, entitiesDiffering(from: hashes, configuration: configuration))
        }
        // The list begins with all entities, so it is not empty, and `min` returns the first of equal elements.
        return fits.min { $0.1.count < $1.1.count } ?? (nil, [])
    }
}

extension ModelPackage {
    /// The comparison of every version with a store's hashes, in the order of the versions.
    package func fits(hashes: [String: Data]) -> [ModelFit] { versions.map { ModelFit($0, hashes: hashes) } }
}

extension VersionDifference {
    fileprivate var text: String {
        switch self {
        case .changed: "changed"
        case .missingInStore: "not in the store"
        case .missingInModel: "not in the model"
        }
    }
}
