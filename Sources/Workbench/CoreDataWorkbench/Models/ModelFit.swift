import CoreData

/// How well one version of a model matches a store, by the version hashes of the entities.
package struct ModelFit {
    package let version: ModelVersion
    /// The configuration of the model whose entities are those of the store; nil for all entities.
    package let configuration: String?
    /// The entities that differ, by name.
    package let differences: [(entity: String, difference: VersionDifference)]

    package var matches: Bool { differences.isEmpty }

    /// Compares a version with the hashes in a store's metadata; of its configurations the nearest is taken.
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
    /// The configuration whose entities differ least from the hashes in a store's metadata, and how they differ; nil for all
    /// entities, which are taken where a configuration is not nearer.
    func nearestConfiguration(
        to hashes: [String: Data]
    ) -> (configuration: String?, differences: [(entity: String, difference: VersionDifference)]) {
        let named = configurations.filter { $0 != NSManagedObjectModel.defaultConfigurationName }
        let fits = ([nil] + named.map(Optional.some)).map { configuration in
            (configuration, entitiesDiffering(from: hashes, configuration: configuration))
        }
        // The list begins with the complete model, so there is a least element, and the first of equal ones is taken.
        return fits.min { $0.1.count < $1.1.count } ?? (nil, [])
    }
}

extension ModelPackage {
    /// Every version beside a store's hashes, in the order of the versions.
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
