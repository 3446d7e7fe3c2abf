import CoreDataGraph

/// Logs the steps of migrations if the program was started with `-com.apple.CoreData.MigrationDebug 1`.
///
/// An environment variable with that name has the same effect, as for other switches.
enum MigrationDebug {
    static let isOn =
        LaunchSettings.text("com.apple.CoreData.MigrationDebug").map { ($0 as NSString).boolValue } ?? false

    static func log(_ line: @autoclosure () -> String) {
        guard isOn else { return }
        CoreDataLogging.report(
            .debug, line(), metadata: [CoreDataLogging.MetadataKey.category: "migration"],
            prefix: "CoreData: migration: ")
    }

    /// Describes the path that was chosen for a store, in one line.
    static func line(_ path: MigrationPath, of url: URL) -> String {
        let steps = path.legs.map { "\($0.mapping == nil ? "inferred" : "mapped") to \(name(of: $0.destination))" }
        let from = path.legs.first.map { name(of: $0.source) } ?? "its version"
        return "'\(url.path)' goes from \(from) in \(steps.count) \(steps.count == 1 ? "step" : "steps"): "
            + steps.joined(separator: ", ")
    }

    /// The identifiers of a version, or the beginning of its checksum if it has none.
    static func name(of model: NSManagedObjectModel) -> String {
        let identifiers = model.versionIdentifiers.map { "\($0.base)" }.filter { !$0.isEmpty }.sorted()
        return identifiers.isEmpty ? String(model.versionChecksum.prefix(8)) : identifiers.joined(separator: "/")
    }
}
