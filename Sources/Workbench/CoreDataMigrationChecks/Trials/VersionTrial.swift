import CoreDataGraph

/// Stores of older versions of a model, filled with generated data and migrated to the newest along every path.
///
/// Two kinds of path are tried for each older version: to the newest at once, and through the versions between one by one.
/// After each step every value that has a counterpart is compared, and every object validated.
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

    /// What came of a path.
    package enum Result: Sendable {
        case passed
        /// Refused by the migration of a step, with the reason and Core Data's code.
        case refused(code: Int, reason: String, step: String)
        /// Migrated, and something is not as it was, or breaks a rule of the new version.
        case wrong(differences: [String], step: String)
    }

    /// One path, with what came of it.
    package struct Outcome: Sendable {
        /// The names of the versions, the oldest first.
        package let path: [String]
        /// How many objects the store had.
        package let objects: Int
        package let result: Result
    }

    /// Makes the store at a URL one of another version; whether objects keep their keys is what it gives.
    package typealias Step = (_ url: URL, _ from: Version, _ to: Version) throws -> Bool

    private let versions: [Version]
    private let current: Int
    private let objects: Int
    private let seed: UInt64
    private let step: Step

    /// - Parameters:
    ///   - versions: all versions, the oldest first.
    ///   - current: the place of the newest among them.
    ///   - objects: about how many objects a store gets.
    ///   - step: how stores are migrated; by opening them with the options of automatic migration, if left out.
    package init(
        _ versions: [Version], current: Int, objects: Int, seed: UInt64, step: @escaping Step = VersionTrial.opening
    ) {
        self.versions = versions
        self.current = current
        self.objects = objects
        self.seed = seed
        self.step = step
    }

    /// Tries the paths of some versions, of all but the newest for nil.
    ///
    /// - Throws: what making and reading the stores throws; refusals are outcomes.
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
                // The place of the store is of no interest to the reader.
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
