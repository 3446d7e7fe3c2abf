import CoreData

/// Migrates generated stores of a model's other versions to the current version and reports the results.
package struct ModelTrialReport {
    /// The options of the trial.
    package struct Request {
        package var package: URL
        /// The names of the versions to migrate from; empty for all but the current version.
        package var origins: [String] = []
        /// The approximate number of objects that each store is filled with.
        package var objects = 200
        package var seed: UInt64 = 1
        /// Files of mapping models, for migrations that cannot be inferred.
        package var mappings: [URL] = []

        package init(package: URL) { self.package = package }
    }

    package let request: Request
    package private(set) var outcomes: [VersionTrial.Outcome] = []

    /// Tries all paths; creates the stores in the temporary directory and removes them.
    ///
    /// - Throws: `InspectionError` if the package cannot be read, has only one version, or lacks a named version.
    package init(_ request: Request) throws {
        self.request = request
        let package = try ModelPackage(at: request.package)
        let current = try package.current()
        let versions = package.versions.map { VersionTrial.Version(name: $0.name, model: $0.model) }
        guard versions.count > 1, let place = package.versions.firstIndex(where: { $0.name == current.name }) else {
            throw InspectionError(
                .unreadable, subject: request.package.path, cause: "it has no older version to migrate from",
                hint: "give a package of several versions")
        }
        for version in versions { ObjectClassResolver.expectMissingClasses(of: version.model) }
        let names = Set(versions.map(\.name)).subtracting([current.name])
        for origin in request.origins where !names.contains(origin) {
            let others = names.sorted().map { "'\($0)'" }.joined(separator: ", ")
            throw InspectionError(
                .unreadable, subject: request.package.path, cause: "there is no older version '\(origin)'",
                hint: "there are \(others)")
        }
        let trial = VersionTrial(
            versions, current: place, objects: request.objects, seed: request.seed
        ) { url, from, to in try Self.migrate(url, old: from.model, new: to.model, mappings: request.mappings) }
        try trial.run(from: request.origins.isEmpty ? nil : Set(request.origins)) { outcomes.append($0) }
    }

    /// Migrates a store by mapping models or by inference; returns whether objects keep their primary keys.
    private static func migrate(
        _ url: URL, old: NSManagedObjectModel, new: NSManagedObjectModel, mappings: [URL]
    ) throws -> Bool {
        guard old.entityVersionHashesByName != new.entityVersionHashesByName else { return true }
        let path = try MigrationPath(
            from: old, to: new, known: [], mappings: mappings, url: url)
        for leg in path.legs {
            try leg.runQuietly(url, configuration: nil, storeClass: SQLiteStore.self, type: .sqlite)
        }
        return path.legs.allSatisfy { $0.mapping == nil }
    }

    /// The tried versions of which no path passed.
    package var stranded: [String] {
        let reached = Set(outcomes.filter(\.hasPassed).compactMap(\.path.first))
        return Array(Set(outcomes.compactMap(\.path.first)).subtracting(reached)).sorted()
    }

    /// Whether no path has a wrong result, and at least one path of every tried version passed.
    package var hasPassed: Bool { stranded.isEmpty && !outcomes.contains(where: \.isWrong) }

    package var json: JSONValue {
        .object([
            ("result", .string(hasPassed ? "passed" : "failed")), ("seed", .string("\(request.seed)")),
            ("stranded", .array(stranded.map { .string($0) })), ("paths", .array(outcomes.map(\.json))),
        ])
    }
}

extension VersionTrial.Outcome {
    /// Whether all steps migrated the store without differences or broken rules.
    package var hasPassed: Bool { if case .passed = result { true } else { false } }

    /// Whether a step changed or lost data, or left objects that break validation rules.
    package var isWrong: Bool { if case .wrong = result { true } else { false } }

    fileprivate var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("path", .array(path.map { .string($0) })), ("objects", .count(objects)),
        ]
        switch result {
        case .passed:
            members += [("result", .string("passed")), ("step", .null), ("code", .null), ("problems", .array([]))]
        case .refused(let code, let reason, let step):
            members += [
                ("result", .string("refused")), ("step", .string(step)), ("code", .count(code)),
                ("problems", .array([.string(reason)])),
            ]
        case .wrong(let differences, let step):
            members += [
                ("result", .string("wrong")), ("step", .string(step)), ("code", .null),
                ("problems", .array(differences.map { .string($0) })),
            ]
        }
        return .object(members)
    }
}
