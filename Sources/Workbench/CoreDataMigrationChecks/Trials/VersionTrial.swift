import CoreDataGraph

/// Fills stores of the other versions of a model with generated data, and migrates them to the current version.
///
/// Each version is migrated directly to the current version and, if there are versions between, also through these one
/// by one. After each step, all objects are validated; values with a counterpart are compared if the step keeps primary
/// keys.
package struct VersionTrial {
    /// A version of a model.
    package struct Version {
        package let name: String
        package let model: NSManagedObjectModel

        package init(name: String, model: NSManagedObjectModel) {
            self.name = name
            self.model = model
        }
    }

    /// The result of migrating a store along a path.
    package enum Result: Sendable {
        case passed
        /// The migration of a step threw an error, with this code and description.
        case refused(code: Int, reason: String, step: String)
        /// A step migrated the store, but changed or lost data, or objects break validation rules of the new version.
        case wrong(differences: [String], step: String)
    }

    /// A path with its result.
    package struct Outcome: Sendable {
        /// The names of the versions in the order of the steps; the current version is the last.
        package let path: [String]
        /// The number of objects in the store before the migration.
        package let objects: Int
        package let result: Result
    }

    /// Migrates the store at a URL to another version; returns whether objects keep their primary keys.
    package typealias Step = (_ url: URL, _ from: Version, _ to: Version) throws -> Bool

    private let versions: [Version]
    private let current: Int
    private let objects: Int
    private let seed: UInt64
    private let step: Step

    /// - Parameters:
    ///   - versions: all versions, the oldest first.
    ///   - current: the index in `versions` of the version to migrate to.
    ///   - objects: the approximate number of objects that each store is filled with.
    ///   - step: migrates a store; the default opens it with the options of automatic migration.
    package init(
        _ versions: [Version], current: Int, objects: Int, seed: UInt64, step: @escaping Step = VersionTrial.opening
    ) {
        self.versions = versions
        self.current = current
        self.objects = objects
        self.seed = seed
        self.step = step
    }

    /// Tries the paths from the versions named, from all but the current one if `names` is nil; calls `report` after
    /// each path.
    ///
    /// - Throws: errors of creating and reading the stores, and of `report`; errors of a migration become outcomes.
    package func run(from names: Set<String>? = nil, _ report: (Outcome) throws -> Void) throws {
        for (number, version) in versions.enumerated() where number != current {
            guard names?.contains(version.name) ?? true else { continue }
            let folder = try TrialFolder()
            let store = folder.url.appendingPathComponent("Trial.sqlite")
            let count = try fill(store, version)
            for path in paths(from: number) {
                let copy = try folder.copy()
                let result = try follow(path, copy.url.appendingPathComponent("Trial.sqlite"))
                try report(Outcome(path: path.map { versions[$0].name }, objects: count, result: result))
            }
        }
    }

    private func paths(from number: Int) -> [[Int]] {
        let direct = [number, current]
        return number + 1 < current ? [direct, Array(number...current)] : [direct]
    }

    private func fill(_ url: URL, _ version: Version) throws -> Int {
        try TrialStore.with(url, model: version.model) { context in
            let count = SampleObjects.fill(context, of: version.model, objects: objects, seed: seed)
            try context.save()
            return count
        }
    }

    private func follow(_ path: [Int], _ url: URL) throws -> Result {
        for (from, to) in zip(path, path.dropFirst()) {
            let (old, new) = (versions[from], versions[to])
            let name = "\(old.name) -> \(new.name)"
            let exact = MigrationCounterparts(old.model, new.model, keeps: .keysAndValues)
            let before = try TrialStore.with(url, model: old.model) {
                try StoreDigest($0, counterparts: exact, side: .before)
            }
            let keepsKeys: Bool
            do {
                keepsKeys = try step(url, old, new)
            } catch {
                // The URL of the temporary store is meaningless to readers of the report.
                let reason = (error as NSError).localizedDescription.replacing(
                    "The store '\(url.path)' ", with: "the store ")
                return .refused(code: (error as NSError).code, reason: reason, step: name)
            }
            let (after, validation) = try TrialStore.with(url, model: new.model) {
                (try StoreDigest($0, counterparts: exact, side: .after), try ObjectValidation($0, new.model))
            }
            var differences =
                keepsKeys ? MigrationComparison(before, after: after, counterparts: exact).differences : []
            differences += validation.summary.map { failure, count in
                let place = [failure.entity, failure.property].compactMap(\.self).joined(separator: ".")
                return "\(place): \(count) objects break a rule of the new version [\(failure.code)]"
            }
            if !differences.isEmpty { return .wrong(differences: differences, step: name) }
        }
        return .passed
    }

    /// Migrates a store as a program does that opens it with the options of automatic migration.
    package static func opening(_ url: URL, from: Version, to: Version) throws -> Bool {
        try TrialStore.with(
            url, model: to.model,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            ]
        ) { _ in }
        return MigrationAnalysis(from: from.model, to: to.model).obstacles.isEmpty
    }
}
