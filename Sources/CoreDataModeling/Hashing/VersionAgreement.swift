import CoreDataFoundation

/// What comes of comparing a store's version hashes with a configuration of a model.
package struct VersionAgreement {
    /// The entities, by name in order, that keep the store from being used with the model.
    package let differing: [(entity: String, difference: VersionDifference)]
    /// The entities, by name in order, whose hashes differ, yet rest on recipes that were never confirmed.
    package let undecided: [String]

    /// Differences count only together: beside a certain one, an undecided one is as good as certain.
    fileprivate init(_ differences: [(entity: String, difference: VersionDifference)], assumed: Set<String>) {
        let isUndecided = differences.allSatisfy { $0.difference == .changed && assumed.contains($0.entity) }
        differing = isUndecided ? [] : differences
        undecided = isUndecided ? differences.map(\.entity) : []
    }
}

extension NSManagedObjectModel {
    /// Compares the hashes in a store's metadata with those of a configuration of the model.
    package func agreement(with stored: [String: Data], configuration: String? = nil) -> VersionAgreement {
        let differences = entitiesDiffering(from: stored, configuration: configuration)
        guard !differences.isEmpty else { return VersionAgreement([], assumed: []) }
        let byName = entitiesByName
        let assumed = differences.map(\.entity).filter { byName[$0]?.hasAssumedHash == true }
        return VersionAgreement(differences, assumed: Set(assumed))
    }

    /// Those of some entities that another model defines otherwise: both hashes are computed here, by the same recipe.
    package func entities(_ names: [String], definedOtherwiseIn other: NSManagedObjectModel) -> [String] {
        let (own, others) = (entityVersionHashesByName, other.entityVersionHashesByName)
        return names.filter { own[$0] != others[$0] }
    }
}
