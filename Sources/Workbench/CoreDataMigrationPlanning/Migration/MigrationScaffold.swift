import CoreData

/// Generates the mapping model between two versions of a model, and migration policies for changes that cannot be
/// inferred.
///
/// Other entities are mapped as in an inferred mapping model. An entity with a change that cannot be inferred gets a
/// mapping of custom type; its policy marks each place where the developer must decide.
package struct MigrationScaffold {
    /// The names of the versions, from which the names of files and classes are built.
    package let source: String
    package let destination: String
    package let mappingModel: NSMappingModel
    package let decisions: [ScaffoldDecision]
    /// The Swift source of the policies.
    package let policies: String

    /// Whether the complete migration can be inferred, so that no mapping model is needed.
    package let isUnneeded: Bool

    /// Generates the migration from the version of the store or model at `request.store` to the requested version.
    ///
    /// - Throws: `InspectionError` if a file cannot be read; `MigrationRefusal` with
    /// `NSMigrationMissingSourceModelError` if
    ///   no model has the store's version hashes.
    package init(_ request: MigrationJob.Request) throws {
        if ModelOrigin.isDatabase(request.store) || request.origin != nil {
            let job = try MigrationJob(request)
            let isKnown = job.versions.contains { $0.name == job.source.name } || job.origin == .given
            self.init(
                from: job.source.model,
                isKnown ? job.source.name : request.store.deletingPathExtension().lastPathComponent,
                to: job.destination.model, job.destination.name)
        } else {
            let old = try ModelOrigin(at: request.store).version()
            let new = try ModelOrigin(at: request.model).version(request.version)
            self.init(from: old.model, old.name, to: new.model, new.name)
        }
    }

    init(from old: NSManagedObjectModel, _ source: String, to new: NSManagedObjectModel, _ destination: String) {
        self.source = source
        self.destination = destination
        var names = PolicyNames(source, destination)
        let scaffold = MappingScaffold(from: old, to: new)
        isUnneeded = scaffold.isInferable
        mappingModel = NSMappingModel()
        mappingModel.entityMappings = scaffold.entries.map(\.mapping)
        var policies: [ScaffoldedPolicy] = []
        var number = 1
        for entry in scaffold.entries where !entry.isInferred {
            let policy = ScaffoldedPolicy(entry, names.policy(for: entry), firstNumber: number)
            number += policy.decisions.count
            entry.mapping.mappingType = .customEntityMappingType
            entry.mapping.name = names.mapping(for: entry)
            entry.mapping.entityMigrationPolicyClassName = policy.name
            policies.append(policy)
        }
        let text = Self.text(policies, source: source, destination: destination)
        self.policies = text
        decisions = policies.flatMap(\.decisions).map { $0.placed(in: text) }
    }

    private static func text(_ policies: [ScaffoldedPolicy], source: String, destination: String) -> String {
        let head = ScaffoldedPolicy.comment(
            "From '\(source)' to '\(destination)': what the mapping model beside this file leaves to code. Each place that is "
                + "marked DECIDE is to be looked at. The classes are found once ObjectClassResolver.register(module:) has named "
                + "their module.", indent: 0)
        return (head + ["import CoreData"] + policies.flatMap { [""] + $0.lines }).joined(separator: "\n") + "\n"
    }

    // MARK: Files

    /// The start of the names of both files, without suffix and extension.
    private var baseName: String { "\(PolicyNames.identifier(source))To\(PolicyNames.identifier(destination))" }

    /// Writes the mapping model and the policies, if any, into a folder, which is created if needed; returns the files.
    ///
    /// - Throws: `InspectionError` if a file exists already or cannot be written; then neither file is written.
    package func write(to folder: URL) throws -> [URL] {
        var files = [(folder.appendingPathComponent(baseName + ".cdm"), try mappingModel.compiledData())]
        if !decisions.isEmpty {
            files.append((folder.appendingPathComponent(baseName + "Policies.swift"), Data(policies.utf8)))
        }
        for (url, _) in files where FileStatus(url.path) != nil {
            throw InspectionError(
                .readOnly, subject: url.path, cause: "it is there already, and nothing is overwritten",
                hint: "name another folder")
        }
        var written: [URL] = []
        for (url, data) in files {
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try data.write(to: url, options: .withoutOverwriting)
                written.append(url)
            } catch {
                for other in written { try? FileManager.default.removeItem(at: other) }
                throw InspectionError(
                    .readOnly, subject: url.path, cause: "it cannot be written: \(ErrorText.line(for: error))")
            }
        }
        return written
    }
}
