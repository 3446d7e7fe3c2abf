import CoreDataFoundation

/// The result of comparing a store's version hashes with a configuration of a model.
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
        var differences = entitiesDiffering(from: stored, configuration: configuration)
        guard !differences.isEmpty else { return VersionAgreement([], assumed: []) }
        let former = versionHashes(.firstRelease)
        differences.removeAll { $0.difference == .changed && former[$0.entity] == stored[$0.entity] }
        let byName = entitiesByName
        let assumed = differences.map(\.entity).filter { byName[$0]?.hasAssumedHash == true }
        return VersionAgreement(differences, assumed: Set(assumed))
    }

    /// The names in order of the entities that keep a store with hashes in its metadata from being used with the model.
    package func entityNamesDiffering(from stored: [String: Data], configuration: String?) -> [String] {
        agreement(with: stored, configuration: configuration).differing.map(\.entity)
    }

    /// The entities, by name in order, that the model which a store keeps of itself may show to be others though the hashes
    /// agree with a configuration: undecided ones, and those with derived attributes, whose names no hash contains.
    package func entitiesLeftOpen(by agreement: VersionAgreement, configuration: String?) -> [String] {
        let derived = (entities(forConfigurationName: configuration) ?? []).filter { !$0.derivedNames.isEmpty }
        return Set(derived.compactMap(\.name)).union(agreement.undecided).sorted()
    }

    /// Those of some entities that another model defines otherwise: both hashes are computed here, by the same recipe.
    package func entities(_ names: [String], definedOtherwiseIn other: NSManagedObjectModel) -> [String] {
        let (own, others) = (entityVersionHashesByName, other.entityVersionHashesByName)
        let (entities, otherEntities) = (entitiesByName, other.entitiesByName)
        return names.filter {
            own[$0] != others[$0] || entities[$0]?.derivedNames != otherEntities[$0]?.derivedNames
        }
    }
}

extension NSEntityDescription {
    /// The names of the derived attributes, inherited ones too: their hash is that of the derivation alone.
    package final var derivedNames: Set<String> {
        Set(attributesByName.filter { $0.value is NSDerivedAttributeDescription }.keys)
    }
}
