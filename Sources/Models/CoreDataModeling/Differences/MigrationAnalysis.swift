import CoreDataFoundation

/// Whether a store of one model can become a store of another by lightweight migration, and what would be lost.
///
/// Lightweight migration infers everything from the two models. The rules are those of Apple's guide ("Migrating your data
/// model automatically"): what can be inferred is named there, and what is not named cannot.
package struct MigrationAnalysis: Hashable, Sendable {
    package enum Verdict: String, Hashable, Sendable {
        /// The version hashes are equal: the store can be opened as it is.
        case unnecessary
        /// A migration can be inferred.
        case lightweight
        /// A mapping model has to specify what cannot be inferred.
        case mappingModel
    }

    /// Something to know about one thing of the models.
    package struct Finding: Hashable, Sendable {
        package let item: ModelItem
        package let reason: String
        /// What would help; nil where nothing simple does.
        package let hint: String?
        /// For an obstacle: whether a store whose objects all have a value there can be migrated.
        package var dependsOnValues = false
        /// For a loss: whether only digits are lost, of numbers whose new type is shorter.
        package var isRounding = false
    }

    package let verdict: Verdict
    /// What prevents inference.
    package let obstacles: [Finding]
    /// Stored data that inference would drop.
    package let losses: [Finding]
    /// What can go wrong with some stores though it can be inferred.
    package let remarks: [Finding]

    /// Looks at the way from one model to another.
    ///
    /// - Parameter configuration: the configuration whose entities a store keeps; others are ignored.
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

    /// The code of the error that a store is refused with, as Apple's framework has it: `NSMigrationError` where nothing but required
    /// values are missing, `NSMigrationMissingMappingModelError` where no mapping can be inferred.
    package static func refusalCode(_ obstacles: [Finding]) -> Int {
        let areValues = !obstacles.isEmpty && obstacles.allSatisfy(\.dependsOnValues)
        return areValues ? NSMigrationError : NSMigrationMissingMappingModelError
    }

    /// The names of the entities of a configuration in either model; nil for all.
    static func entities(of configuration: String?, in models: [NSManagedObjectModel]) -> Set<String>? {
        guard let configuration else { return nil }
        let known = models.compactMap { $0.entities(forConfigurationName: configuration) }
        return known.isEmpty ? nil : Set(known.flatMap { $0 }.compactMap(\.name))
    }
}
