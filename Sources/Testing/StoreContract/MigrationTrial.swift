import CoreDataGraph
import CoreDataMigrationChecks
import Testing

/// Tests whether stores of all older versions of a model migrate to the current version without loss of data.
///
/// Creates a store of each older version, fills it with generated valid data, unusual values included, and opens it
/// with the current version and automatic migration; then again through each version between. After each step it
/// compares every value and relationship that has a counterpart, and validates every object. For SQLite stores: the
/// test must link `CoreData`.
public enum MigrationTrial {
    /// Records an issue for each failed migration path, and for each version without a path to the current one.
    ///
    /// - Parameters:
    ///   - package: an `.xcdatamodeld` or `.momd` with several versions; their order is that of their names.
    ///   - names: the versions to begin with; all but the current one for nil.
    ///   - objects: about how many objects a store gets.
    ///   - seed: another number makes other data, the same one the same.
    /// - Throws: what reading the package and making the stores throws.
    public static func expectVersionsToMigrate(
        of package: URL, from names: [String]? = nil, objects: Int = 200, seed: UInt64 = 1,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for problem in try problems(of: package, from: names, objects: objects, seed: seed) {
            Issue.record("\(problem) (seed \(seed))", sourceLocation: sourceLocation)
        }
    }

    /// The problems that `expectVersionsToMigrate` records as issues, as sentences; empty if every version migrates.
    ///
    /// - Throws: what reading the package and making the stores throws.
    public static func problems(
        of package: URL, from names: [String]? = nil, objects: Int = 200, seed: UInt64 = 1
    ) throws -> [String] {
        let (versions, current) = try versions(at: package)
        var stranded = names.map(Set.init) ?? Set(versions.map(\.name)).subtracting([versions[current].name])
        var refusals: [String: String] = [:]
        var problems: [String] = []
        let trial = VersionTrial(versions, current: current, objects: objects, seed: seed)
        try trial.run(from: names.map(Set.init)) { outcome in
            switch outcome.result {
            case .passed: stranded.remove(outcome.path[0])
            case .refused(let code, let reason, let step):
                refusals[outcome.path[0]] = "\(step): \(reason) [\(code)]"
            case .wrong(let differences, let step):
                stranded.remove(outcome.path[0])
                let lines = differences.joined(separator: "; ")
                problems.append("\(outcome.path.joined(separator: " -> ")): \(step): \(lines)")
            }
        }
        return problems
            + stranded.sorted().map { name in
                let reason = refusals[name] ?? "there is no such older version"
                return "no path leads from '\(name)' to the current version: \(reason)"
            }
    }

    private static func versions(at package: URL) throws -> ([VersionTrial.Version], current: Int) {
        let current = try ModelLocation(package).file.standardizedFileURL
        let files = ModelLocation.versions(in: package).map {
            (name: ModelLocation.versionName(of: $0), url: $0)
        }.sorted { $0.name.localizedStandardCompare($1.name) == .orderedAscending }
        let versions = try files.map {
            VersionTrial.Version(name: $0.name, model: try NSManagedObjectModel(reading: $0.url))
        }
        let place = files.firstIndex { file in
            (try? ModelLocation(file.url))?.file.standardizedFileURL == current
        }
        return (versions, place ?? versions.count - 1)
    }
}
