import CoreDataFoundation

/// Whether lightweight migration can migrate a store from one model to another, and what would be lost.
///
/// Lightweight migration infers the mapping from the two models. The rules are those of Apple's guide ("Migrating your
/// data model automatically"), extended by conversions of numbers (`NumberConversion`) and by elements of composites.
package struct MigrationAnalysis: Hashable, Sendable {
    package enum Verdict: String, Hashable, Sendable {
        /// The version hashes are equal: the store can be opened without migration.
        case unnecessary
        /// A migration can be inferred.
        case lightweight
        /// A mapping model must specify what cannot be inferred.
        case mappingModel
    }

    /// A finding about one item of the models.
    package struct Finding: Hashable, Sendable {
        package let item: ModelItem
        package let reason: String
        /// How to solve the problem; nil if there is no simple solution.
        package let hint: String?
        /// For an obstacle: whether a store in which all objects have a value for the item can be migrated
        /// nevertheless.
        package var dependsOnValues = false
        /// For a loss: whether numbers are only rounded, since their new type is less precise.
        package var isRounding = false
    }

    package let verdict: Verdict
    /// What prevents inference.
    package let obstacles: [Finding]
    /// Stored data that inference would drop.
    package let losses: [Finding]
    /// Problems that can occur with some stores although a mapping can be inferred.
    package let remarks: [Finding]

    /// Analyzes the migration from one model to another.
    ///
    /// - Parameter configuration: the configuration of the store; entities outside it are ignored.
    package init(from old: NSManagedObjectModel, to new: NSManagedObjectModel, configuration: String? = nil) {
        guard old.entityVersionHashesByName != new.entityVersionHashesByName else {
            (verdict, obstacles, losses, remarks) = (.unnecessary, [], [], [])
            return
        }
        var inference = MappingInference(ModelMatching(old, new))
        inference.run(new)
        let kept = Self.entities(of: configuration, in: [old, new])
        func isKept(_ finding: Finding) -> Bool {
            let name = finding.item.kind == .entity ? finding.item.name : finding.item.entity
            return name.map { kept?.contains($0) ?? true } ?? true
        }
        obstacles = inference.obstacles.filter(isKept)
        losses = inference.losses.filter(isKept)
        remarks = inference.remarks.filter(isKept)
        verdict = obstacles.isEmpty ? .lightweight : .mappingModel
    }

    /// The code of the error for a store that cannot be migrated, as in Apple's framework: `NSMigrationError` if only
    /// required values are missing, otherwise `NSMigrationMissingMappingModelError`.
    package static func refusalCode(_ obstacles: [Finding]) -> Int {
        let areValues = !obstacles.isEmpty && obstacles.allSatisfy(\.dependsOnValues)
        return areValues ? NSMigrationError : NSMigrationMissingMappingModelError
    }

    /// The names of the entities that a configuration has in any of the models; nil for all entities.
    static func entities(of configuration: String?, in models: [NSManagedObjectModel]) -> Set<String>? {
        guard let configuration else { return nil }
        let known = models.compactMap { $0.entities(forConfigurationName: configuration) }
        return known.isEmpty ? nil : Set(known.flatMap { $0 }.compactMap(\.name))
    }
}
