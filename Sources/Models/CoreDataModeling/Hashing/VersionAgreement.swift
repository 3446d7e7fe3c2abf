import CoreDataFoundation

/// The result of comparing a store's version hashes with a configuration of a model.
package struct VersionAgreement {
    /// The entities for which the store does not fit the model, sorted by name.
    package let differing: [(entity: String, difference: VersionDifference)]
    /// The entities whose hashes differ but are computed by assumed recipes, sorted by name; empty if others differ
    /// too.
    package let undecided: [String]

    /// If only entities with assumed hashes differ, they are undecided; otherwise all that differ are certain.
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

    /// The sorted names of the entities for which a store with these hashes does not fit the model.
    package func entityNamesDiffering(from stored: [String: Data], configuration: String?) -> [String] {
        agreement(with: stored, configuration: configuration).differing.map(\.entity)
    }

    /// The entities for which the hashes do not decide whether the store fits, so that the model in the store must be
    /// compared: undecided ones, and those with derived attributes, whose names are not hashed. Sorted by name.
    package func entitiesLeftOpen(by agreement: VersionAgreement, configuration: String?) -> [String] {
        let derived = (entities(forConfigurationName: configuration) ?? []).filter { !$0.derivedNames.isEmpty }
        return Set(derived.compactMap(\.name)).union(agreement.undecided).sorted()
    }

    /// The entities, among the given ones, whose definitions in another model differ; hashes of both use the same
    /// recipe.
    package func entities(_ names: [String], definedOtherwiseIn other: NSManagedObjectModel) -> [String] {
        let (own, others) = (entityVersionHashesByName, other.entityVersionHashesByName)
        let (entities, otherEntities) = (entitiesByName, other.entitiesByName)
        return names.filter {
            own[$0] != others[$0] || entities[$0]?.derivedNames != otherEntities[$0]?.derivedNames
        }
    }
}

extension NSEntityDescription {
    /// The names of the derived attributes, inherited ones included: only the derivation is hashed, not the name.
    package final var derivedNames: Set<String> {
        Set(attributesByName.filter { $0.value is NSDerivedAttributeDescription }.keys)
    }
}
